-- The database that version 0002 of the tables held: ann has finished, bob is in the middle, cleo declined, dan was rejected.
BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0002');
CREATE TABLE answers (
	id INTEGER NOT NULL, 
	participant_id INTEGER NOT NULL, 
	page_id INTEGER NOT NULL, 
	assignment_id INTEGER, 
	revision_id INTEGER NOT NULL, 
	question VARCHAR(200) NOT NULL, 
	target VARCHAR(160) NOT NULL, 
	value TEXT NOT NULL, 
	shown INTEGER, 
	asked BOOLEAN NOT NULL, 
	late BOOLEAN NOT NULL, 
	created FLOAT NOT NULL, 
	CONSTRAINT pk_answers PRIMARY KEY (id), 
	CONSTRAINT fk_answers_assignment_id FOREIGN KEY(assignment_id) REFERENCES assignments (id) ON DELETE CASCADE, 
	CONSTRAINT fk_answers_page_id FOREIGN KEY(page_id) REFERENCES pages (id) ON DELETE CASCADE, 
	CONSTRAINT fk_answers_participant_id FOREIGN KEY(participant_id) REFERENCES participants (id) ON DELETE CASCADE, 
	CONSTRAINT fk_answers_revision_id FOREIGN KEY(revision_id) REFERENCES revisions (id), 
	CONSTRAINT uq_answers_assignment_id_question UNIQUE (assignment_id, question), 
	CONSTRAINT uq_answers_page_id_question UNIQUE (page_id, question)
);
INSERT INTO "answers" VALUES(1,1,1,NULL,1,'consent','','yes',1,1,0,1010.5);
INSERT INTO "answers" VALUES(2,1,2,1,1,'q1','','B',1,1,0,1015.5);
INSERT INTO "answers" VALUES(3,1,3,NULL,1,'see','','A',1,1,0,1020.5);
INSERT INTO "answers" VALUES(4,1,4,2,1,'q1','','B',1,1,0,1025.5);
INSERT INTO "answers" VALUES(5,1,5,3,1,'q1','','A',1,1,0,1030.5);
INSERT INTO "answers" VALUES(6,1,6,NULL,1,'age','','1',NULL,1,0,1035.5);
INSERT INTO "answers" VALUES(7,1,7,NULL,1,'note','','Grüße, “easy” enough
and a second line',NULL,1,0,1040.5);
INSERT INTO "answers" VALUES(8,2,8,NULL,1,'consent','','yes',1,1,0,2010.0);
INSERT INTO "answers" VALUES(9,2,9,4,1,'q1','','C',1,1,0,2020.0);
INSERT INTO "answers" VALUES(10,2,10,NULL,1,'see','','A',1,1,0,2030.0);
INSERT INTO "answers" VALUES(11,3,12,NULL,1,'consent','','no',2,1,0,2102.0);
INSERT INTO "answers" VALUES(12,4,13,NULL,1,'consent','','yes',1,1,0,2210.0);
INSERT INTO "answers" VALUES(13,4,14,7,1,'q1','','C',1,1,0,2220.0);
INSERT INTO "answers" VALUES(14,4,15,NULL,1,'see','','B',1,1,0,2230.0);
INSERT INTO "answers" VALUES(15,4,16,8,1,'q1','','A',1,1,0,2240.0);
INSERT INTO "answers" VALUES(16,4,17,9,1,'q1','','C',1,1,0,2250.0);
INSERT INTO "answers" VALUES(17,4,18,NULL,1,'age','','1',NULL,1,0,2260.0);
INSERT INTO "answers" VALUES(18,4,19,NULL,1,'note','','Something in other words.',NULL,1,0,2270.0);
CREATE TABLE assignments (
	id INTEGER NOT NULL, 
	participant_id INTEGER NOT NULL, 
	cell_id INTEGER NOT NULL, 
	item VARCHAR(400) NOT NULL, 
	arm VARCHAR(400) NOT NULL, 
	position INTEGER NOT NULL, 
	state VARCHAR(8) NOT NULL, 
	leased_until FLOAT NOT NULL, 
	created FLOAT NOT NULL, 
	CONSTRAINT pk_assignments PRIMARY KEY (id), 
	CONSTRAINT fk_assignments_cell_id FOREIGN KEY(cell_id) REFERENCES cells (id), 
	CONSTRAINT fk_assignments_participant_id FOREIGN KEY(participant_id) REFERENCES participants (id) ON DELETE CASCADE, 
	CONSTRAINT uq_assignments_participant_id_item UNIQUE (participant_id, item)
);
INSERT INTO "assignments" VALUES(1,1,3,'i0','plain',0,'done',1611.0,1011.0);
INSERT INTO "assignments" VALUES(2,1,1,'i4','odd',1,'done',1621.0,1011.0);
INSERT INTO "assignments" VALUES(3,1,2,'i1','hard',2,'done',1626.0,1011.0);
INSERT INTO "assignments" VALUES(4,2,4,'i0','hard',0,'done',2615.0,2015.0);
INSERT INTO "assignments" VALUES(5,2,5,'i5','plain',1,'leased',2635.0,2015.0);
INSERT INTO "assignments" VALUES(6,2,6,'i2','odd',2,'leased',2635.0,2015.0);
INSERT INTO "assignments" VALUES(7,4,7,'i4','plain',0,'rejected',2815.0,2215.0);
INSERT INTO "assignments" VALUES(8,4,8,'i5','hard',1,'rejected',2835.0,2215.0);
INSERT INTO "assignments" VALUES(9,4,9,'i0','odd',2,'rejected',2845.0,2215.0);
CREATE TABLE audit (
	id INTEGER NOT NULL, 
	created FLOAT NOT NULL, 
	action VARCHAR(40) NOT NULL, 
	detail TEXT NOT NULL, 
	CONSTRAINT pk_audit PRIMARY KEY (id)
);
INSERT INTO "audit" VALUES(1,1041.0,'review','participant 26917c6b9bdd accepted');
INSERT INTO "audit" VALUES(2,2400.0,'review','participant a6691d8f4c69 rejected');
INSERT INTO "audit" VALUES(3,2500.0,'pause','pilot');
INSERT INTO "audit" VALUES(4,2501.0,'resume','pilot');
INSERT INTO "audit" VALUES(5,2600.0,'export','csv, 12 rows');
CREATE TABLE cells (
	id INTEGER NOT NULL, 
	mode VARCHAR(8) NOT NULL, 
	item VARCHAR(400) NOT NULL, 
	arm VARCHAR(400) NOT NULL, 
	replicate INTEGER NOT NULL, 
	block INTEGER NOT NULL, 
	block_size INTEGER NOT NULL, 
	state VARCHAR(8) NOT NULL, 
	surplus BOOLEAN NOT NULL, 
	retired BOOLEAN NOT NULL, 
	CONSTRAINT pk_cells PRIMARY KEY (id), 
	CONSTRAINT uq_cells_mode_item_arm_replicate UNIQUE (mode, item, arm, replicate)
);
INSERT INTO "cells" VALUES(1,'pilot','i4','odd',0,0,3,'done',0,0);
INSERT INTO "cells" VALUES(2,'pilot','i1','hard',0,0,3,'done',0,0);
INSERT INTO "cells" VALUES(3,'pilot','i0','plain',0,0,3,'done',0,0);
INSERT INTO "cells" VALUES(4,'pilot','i0','hard',0,1,3,'done',0,0);
INSERT INTO "cells" VALUES(5,'pilot','i5','plain',0,1,3,'leased',0,0);
INSERT INTO "cells" VALUES(6,'pilot','i2','odd',0,1,3,'leased',0,0);
INSERT INTO "cells" VALUES(7,'pilot','i4','plain',0,2,3,'free',0,0);
INSERT INTO "cells" VALUES(8,'pilot','i5','hard',0,2,3,'free',0,0);
INSERT INTO "cells" VALUES(9,'pilot','i0','odd',0,2,3,'free',0,0);
INSERT INTO "cells" VALUES(10,'pilot','i3','hard',0,3,3,'free',0,0);
INSERT INTO "cells" VALUES(11,'pilot','i1','plain',0,3,3,'free',0,0);
INSERT INTO "cells" VALUES(12,'pilot','i5','odd',0,3,3,'free',0,0);
INSERT INTO "cells" VALUES(13,'pilot','i3','odd',0,4,3,'free',0,0);
INSERT INTO "cells" VALUES(14,'pilot','i4','hard',0,4,3,'free',0,0);
INSERT INTO "cells" VALUES(15,'pilot','i2','plain',0,4,3,'free',0,0);
INSERT INTO "cells" VALUES(16,'pilot','i2','hard',0,5,3,'free',0,0);
INSERT INTO "cells" VALUES(17,'pilot','i1','odd',0,5,3,'free',0,0);
INSERT INTO "cells" VALUES(18,'pilot','i3','plain',0,5,3,'free',0,0);
CREATE TABLE imports (
	id INTEGER NOT NULL, 
	participant_id INTEGER NOT NULL, 
	format VARCHAR(40) NOT NULL, 
	number INTEGER NOT NULL, 
	payload TEXT NOT NULL, 
	CONSTRAINT pk_imports PRIMARY KEY (id), 
	CONSTRAINT fk_imports_participant_id FOREIGN KEY(participant_id) REFERENCES participants (id) ON DELETE CASCADE, 
	CONSTRAINT uq_imports_format_number UNIQUE (format, number)
);
CREATE TABLE pages (
	id INTEGER NOT NULL, 
	participant_id INTEGER NOT NULL, 
	revision_id INTEGER NOT NULL, 
	assignment_id INTEGER, 
	position INTEGER NOT NULL, 
	step INTEGER NOT NULL, 
	part INTEGER NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	token VARCHAR(64) NOT NULL, 
	layout TEXT NOT NULL, 
	opened FLOAT NOT NULL, 
	submitted FLOAT, 
	seconds FLOAT, 
	client_seconds FLOAT, device VARCHAR(8), viewport VARCHAR(12), 
	CONSTRAINT pk_pages PRIMARY KEY (id), 
	CONSTRAINT fk_pages_assignment_id FOREIGN KEY(assignment_id) REFERENCES assignments (id) ON DELETE CASCADE, 
	CONSTRAINT fk_pages_participant_id FOREIGN KEY(participant_id) REFERENCES participants (id) ON DELETE CASCADE, 
	CONSTRAINT fk_pages_revision_id FOREIGN KEY(revision_id) REFERENCES revisions (id), 
	CONSTRAINT uq_pages_assignment_id UNIQUE (assignment_id), 
	CONSTRAINT uq_pages_participant_id_position UNIQUE (participant_id, position), 
	CONSTRAINT uq_pages_token UNIQUE (token)
);
INSERT INTO "pages" VALUES(1,1,1,NULL,0,0,0,'consent','vIHMzGjtObJrt__es09spAGPUFF9sD14','{"texts": [], "options": {}}',1006.0,1010.5,4.5,4.25,'phone','390x840');
INSERT INTO "pages" VALUES(2,1,1,1,1,1,0,'block','S1yd0vutOYXU_WCnNKT6KwKZKqW2GlkC','{"texts": ["plain"], "options": {"q1": ["B", "C", "A", "UA"]}}',1011.0,1015.5,4.5,4.25,'phone','390x840');
INSERT INTO "pages" VALUES(3,1,1,NULL,2,1,-1,'attention','0sc4aPXwOxcAhNOUj7B4EsotLXty7IGx','{"texts": [], "options": {"see": ["A", "B"]}}',1016.0,1020.5,4.5,4.25,'phone','390x840');
INSERT INTO "pages" VALUES(4,1,1,2,3,1,1,'block','sCz1c5-L4XDuyPbBhILXor2T3psAWlhp','{"texts": ["odd"], "options": {"q1": ["B", "C", "A", "UA"]}}',1021.0,1025.5,4.5,4.25,'phone','390x840');
INSERT INTO "pages" VALUES(5,1,1,3,4,1,2,'block','7cPgghkjUTYqQdl273xqMqWSaM8XunZ5','{"texts": ["hard"], "options": {"q1": ["A", "B", "C", "UA"]}}',1026.0,1030.5,4.5,4.25,'phone','390x840');
INSERT INTO "pages" VALUES(6,1,1,NULL,5,2,0,'survey','3I_PXmNEanmf3UA8RbtKvhzJP_y_Kh93','{"texts": [], "options": {}}',1031.0,1035.5,4.5,4.25,'phone','390x840');
INSERT INTO "pages" VALUES(7,1,1,NULL,6,3,0,'survey','N47p0YXpaMqU1L1ZUlG_mBoel4RFrNDU','{"texts": [], "options": {}}',1036.0,1040.5,4.5,4.25,'phone','390x840');
INSERT INTO "pages" VALUES(8,2,1,NULL,0,0,0,'consent','PyILLt8uaR7fAXGKniwIBGW5Sj3nFXSP','{"texts": [], "options": {}}',2005.0,2010.0,5.0,NULL,NULL,NULL);
INSERT INTO "pages" VALUES(9,2,1,4,1,1,0,'block','QzkPPfViZJ8PuFf4MIUEgveLEacHpGcg','{"texts": ["hard"], "options": {"q1": ["C", "B", "A", "UA"]}}',2015.0,2020.0,5.0,NULL,NULL,NULL);
INSERT INTO "pages" VALUES(10,2,1,NULL,2,1,-1,'attention','AMs_5z-Pi0-33klpnxlqvT9QP9iLPx82','{"texts": [], "options": {"see": ["A", "B"]}}',2025.0,2030.0,5.0,NULL,NULL,NULL);
INSERT INTO "pages" VALUES(11,2,1,5,3,1,1,'block','Z6crD5asmEDO8G6upOZzahN-VauaVhCY','{"texts": ["plain"], "options": {"q1": ["B", "C", "A", "UA"]}}',2035.0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "pages" VALUES(12,3,1,NULL,0,0,0,'consent','KhfAh3GF-paBjMGHUI1keFLAd8R75JLo','{"texts": [], "options": {}}',2101.0,2102.0,1.0,NULL,NULL,NULL);
INSERT INTO "pages" VALUES(13,4,1,NULL,0,0,0,'consent','sOedHwzSgTw-MBhyK3ti5TwSdV0ItULk','{"texts": [], "options": {}}',2205.0,2210.0,5.0,NULL,NULL,NULL);
INSERT INTO "pages" VALUES(14,4,1,7,1,1,0,'block','EMGnkmPeBf_e4M7w7VDXpNloW5Vq3bB4','{"texts": ["plain"], "options": {"q1": ["C", "A", "B", "UA"]}}',2215.0,2220.0,5.0,NULL,NULL,NULL);
INSERT INTO "pages" VALUES(15,4,1,NULL,2,1,-1,'attention','wipJGU_WoCxroiOuGK8G1MYknVQFnXAT','{"texts": [], "options": {"see": ["B", "A"]}}',2225.0,2230.0,5.0,NULL,NULL,NULL);
INSERT INTO "pages" VALUES(16,4,1,8,3,1,1,'block','XQcTOuZ7hfI8Q-QyiLqnNYUe030c9cLe','{"texts": ["hard"], "options": {"q1": ["A", "C", "B", "UA"]}}',2235.0,2240.0,5.0,NULL,NULL,NULL);
INSERT INTO "pages" VALUES(17,4,1,9,4,1,2,'block','PbrigNLtcBPzGHFaVOMwIFXJPBcvxNh0','{"texts": ["odd"], "options": {"q1": ["C", "B", "A", "UA"]}}',2245.0,2250.0,5.0,NULL,NULL,NULL);
INSERT INTO "pages" VALUES(18,4,1,NULL,5,2,0,'survey','tYcTE2mEUVN775WNAUhGOswIOSHWvkPC','{"texts": [], "options": {}}',2255.0,2260.0,5.0,NULL,NULL,NULL);
INSERT INTO "pages" VALUES(19,4,1,NULL,6,3,0,'survey','nBgZdtsscHdhmNse18STrZBDfUupXjb7','{"texts": [], "options": {}}',2265.0,2270.0,5.0,NULL,NULL,NULL);
CREATE TABLE participants (
	id INTEGER NOT NULL, 
	mode VARCHAR(8) NOT NULL, 
	hash VARCHAR(64) NOT NULL, 
	token VARCHAR(64) NOT NULL, 
	step INTEGER NOT NULL, 
	outcome VARCHAR(16) NOT NULL, 
	review VARCHAR(16) NOT NULL, 
	recruiter_study VARCHAR(80) NOT NULL, 
	created FLOAT NOT NULL, 
	last_seen FLOAT NOT NULL, 
	finished FLOAT, 
	CONSTRAINT pk_participants PRIMARY KEY (id), 
	CONSTRAINT uq_participants_hash_mode UNIQUE (hash, mode), 
	CONSTRAINT uq_participants_token UNIQUE (token)
);
INSERT INTO "participants" VALUES(1,'pilot','26917c6b9bddccf5b55de2a95c9cc1e1','ypQasbRJL8cZ3dHpmTEOOzM3dCHDTV3r',4,'complete','accepted','r1',1001.0,1041.0,1041.0);
INSERT INTO "participants" VALUES(2,'pilot','120633a27bfe8081acfd58f46d2f368b','kB8JbC2BQvhp1V-wyaV1YnfAYaJeONuz',1,'','','',2000.0,2035.0,NULL);
INSERT INTO "participants" VALUES(3,'pilot','c040f53ac5a04e3226424ff2d0b3eaed','JVOj86A0A8Mk7ewbb8IfXvyr7lj-Arpb',0,'no_consent','','',2100.0,2102.0,2102.0);
INSERT INTO "participants" VALUES(4,'pilot','a6691d8f4c69e61ef49576332ee0451c','At75rL6THmrmwbvLpwcSlBy0YinBSLTi',4,'complete','rejected','',2200.0,2275.0,2275.0);
CREATE TABLE resubmissions (
	id INTEGER NOT NULL, 
	participant_id INTEGER NOT NULL, 
	page_id INTEGER NOT NULL, 
	payload TEXT NOT NULL, 
	created FLOAT NOT NULL, 
	CONSTRAINT pk_resubmissions PRIMARY KEY (id), 
	CONSTRAINT fk_resubmissions_page_id FOREIGN KEY(page_id) REFERENCES pages (id) ON DELETE CASCADE, 
	CONSTRAINT fk_resubmissions_participant_id FOREIGN KEY(participant_id) REFERENCES participants (id) ON DELETE CASCADE
);
INSERT INTO "resubmissions" VALUES(1,1,2,'{"q1": "C"}',1015.8);
CREATE TABLE revisions (
	id INTEGER NOT NULL, 
	mode VARCHAR(8) NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	created FLOAT NOT NULL, 
	CONSTRAINT pk_revisions PRIMARY KEY (id)
);
INSERT INTO "revisions" VALUES(1,'pilot','4eabf54f0a1a8d78123413d61446fd0e1bf5e89ebc4b4e503a2fe6ac1b22c010',1000.0);
CREATE TABLE settings (
	name VARCHAR(40) NOT NULL, 
	value TEXT NOT NULL, 
	CONSTRAINT pk_settings PRIMARY KEY (name)
);
INSERT INTO "settings" VALUES('allocation','');
CREATE INDEX ix_cells_state ON cells (mode, state, block);
CREATE INDEX ix_assignments_lease ON assignments (state, leased_until);
CREATE UNIQUE INDEX uq_assignments_live_cell ON assignments (cell_id) WHERE state IN ('leased', 'done');
CREATE INDEX ix_answers_participant_id ON answers (participant_id);
COMMIT;
