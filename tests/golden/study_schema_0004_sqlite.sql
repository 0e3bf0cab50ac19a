-- The database that version 0004 of the tables held: ann has finished, bob is in the middle of a page, cleo declined, dan was rejected, eve withdrew.
BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0004');
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
INSERT INTO "answers" VALUES(1,1,1,NULL,1,'consent','','yes',1,1,0,1007.5);
INSERT INTO "answers" VALUES(2,1,2,1,1,'q1','','B',1,1,0,1030.0);
INSERT INTO "answers" VALUES(3,1,2,1,1,'ease','','1',1,1,0,1030.0);
INSERT INTO "answers" VALUES(4,1,3,2,1,'q1','','B',1,1,0,1052.5);
INSERT INTO "answers" VALUES(5,1,3,2,1,'ease','','1',1,1,0,1052.5);
INSERT INTO "answers" VALUES(6,1,4,3,1,'q1','','B',1,1,0,1075.0);
INSERT INTO "answers" VALUES(7,1,4,3,1,'ease','','1',1,1,0,1075.0);
INSERT INTO "answers" VALUES(8,1,5,NULL,1,'age','','1',NULL,1,0,1082.5);
INSERT INTO "answers" VALUES(9,2,6,NULL,1,'consent','','yes',1,1,0,2007.5);
INSERT INTO "answers" VALUES(10,2,7,4,1,'q1','','C',1,1,0,2030.0);
INSERT INTO "answers" VALUES(11,2,7,4,1,'ease','','1',1,1,0,2030.0);
INSERT INTO "answers" VALUES(12,3,9,NULL,1,'consent','','no',2,1,0,2102.0);
INSERT INTO "answers" VALUES(13,4,10,NULL,1,'consent','','yes',1,1,0,2207.5);
INSERT INTO "answers" VALUES(14,4,11,7,1,'q1','','C',1,1,0,2230.0);
INSERT INTO "answers" VALUES(15,4,11,7,1,'ease','','1',1,1,0,2230.0);
INSERT INTO "answers" VALUES(16,4,12,8,1,'q1','','C',1,1,0,2252.5);
INSERT INTO "answers" VALUES(17,4,12,8,1,'ease','','1',1,1,0,2252.5);
INSERT INTO "answers" VALUES(18,4,13,9,1,'q1','','A',1,1,0,2275.0);
INSERT INTO "answers" VALUES(19,4,13,9,1,'ease','','1',1,1,0,2275.0);
INSERT INTO "answers" VALUES(20,4,14,NULL,1,'age','','1',NULL,1,0,2282.5);
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
INSERT INTO "assignments" VALUES(1,1,3,'i0','plain',0,'done',1627.5,1012.5);
INSERT INTO "assignments" VALUES(2,1,1,'i4','odd',1,'done',1650.0,1012.5);
INSERT INTO "assignments" VALUES(3,1,2,'i1','hard',2,'done',1672.5,1012.5);
INSERT INTO "assignments" VALUES(4,2,4,'i0','hard',0,'done',2627.5,2012.5);
INSERT INTO "assignments" VALUES(5,2,5,'i5','plain',1,'leased',2650.0,2012.5);
INSERT INTO "assignments" VALUES(6,2,6,'i2','odd',2,'leased',2650.0,2012.5);
INSERT INTO "assignments" VALUES(7,4,7,'i4','plain',0,'rejected',2827.5,2212.5);
INSERT INTO "assignments" VALUES(8,4,8,'i5','hard',1,'rejected',2850.0,2212.5);
INSERT INTO "assignments" VALUES(9,4,9,'i0','odd',2,'rejected',2872.5,2212.5);
CREATE TABLE audit (
	id INTEGER NOT NULL, 
	created FLOAT NOT NULL, 
	action VARCHAR(40) NOT NULL, 
	detail TEXT NOT NULL, actor VARCHAR(80), 
	CONSTRAINT pk_audit PRIMARY KEY (id)
);
INSERT INTO "audit" VALUES(1,2300.0,'review','participant a6691d8f4c69 rejected: copied the text','admin');
INSERT INTO "audit" VALUES(2,2500.0,'withdrawal','1 removed','participant');
INSERT INTO "audit" VALUES(3,2600.0,'export','csv, 1 rows','admin');
CREATE TABLE backups (
	id INTEGER NOT NULL, 
	created FLOAT NOT NULL, 
	file TEXT NOT NULL, 
	sha256 VARCHAR(64) NOT NULL, 
	participants TEXT NOT NULL, 
	answers INTEGER NOT NULL, 
	removed INTEGER NOT NULL, 
	CONSTRAINT pk_backups PRIMARY KEY (id)
);
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
	client_seconds FLOAT, device VARCHAR(8), viewport VARCHAR(12), read FLOAT, reading_client_seconds FLOAT, draft TEXT, 
	CONSTRAINT pk_pages PRIMARY KEY (id), 
	CONSTRAINT fk_pages_assignment_id FOREIGN KEY(assignment_id) REFERENCES assignments (id) ON DELETE CASCADE, 
	CONSTRAINT fk_pages_participant_id FOREIGN KEY(participant_id) REFERENCES participants (id) ON DELETE CASCADE, 
	CONSTRAINT fk_pages_revision_id FOREIGN KEY(revision_id) REFERENCES revisions (id), 
	CONSTRAINT uq_pages_assignment_id UNIQUE (assignment_id), 
	CONSTRAINT uq_pages_participant_id_position UNIQUE (participant_id, position), 
	CONSTRAINT uq_pages_token UNIQUE (token)
);
INSERT INTO "pages" VALUES(1,1,1,NULL,0,0,0,'consent','O21KSYgjGhtF-mXRnm9mC9DYTOpZBhhh','{"texts": [], "options": {}}',1005.0,1007.5,2.5,4.25,'phone','390x840',NULL,NULL,NULL);
INSERT INTO "pages" VALUES(2,1,1,1,1,1,0,'block','iVSD89bfugcpJooerpUXqam2CxnH0cbG','{"texts": ["plain"], "options": {"q1": ["B", "C", "A", "UA"]}, "reading": "first", "one": true, "back": true}',1012.5,1030.0,17.5,12.75,'phone','390x840',1015.0,4.25,NULL);
INSERT INTO "pages" VALUES(3,1,1,2,2,1,1,'block','UgjSGNpMx-pMU1VyYZJHkDmLTpE4utqL','{"texts": ["odd"], "options": {"q1": ["B", "C", "A", "UA"]}, "reading": "first", "one": true, "back": true}',1035.0,1052.5,17.5,12.75,'phone','390x840',1037.5,4.25,NULL);
INSERT INTO "pages" VALUES(4,1,1,3,3,1,2,'block','IiBLIpciRgRW3XitsJVMJMeqqC12odFE','{"texts": ["hard"], "options": {"q1": ["B", "C", "A", "UA"]}, "reading": "first", "one": true, "back": true}',1057.5,1075.0,17.5,12.75,'phone','390x840',1060.0,4.25,NULL);
INSERT INTO "pages" VALUES(5,1,1,NULL,4,2,0,'survey','tcJzsi75nA6Ui49EpkvQHOi6H8ZcUVor','{"texts": [], "options": {}}',1080.0,1082.5,2.5,4.25,'phone','390x840',NULL,NULL,NULL);
INSERT INTO "pages" VALUES(6,2,1,NULL,0,0,0,'consent','a1qjLt7qbdkO2JijBhB2TyOUizs0518j','{"texts": [], "options": {}}',2005.0,2007.5,2.5,4.25,'phone','390x840',NULL,NULL,NULL);
INSERT INTO "pages" VALUES(7,2,1,4,1,1,0,'block','c0oe2cCwvoewX9B5b3Dpr-Vjp-vgESu8','{"texts": ["hard"], "options": {"q1": ["C", "B", "A", "UA"]}, "reading": "first", "one": true, "back": true}',2012.5,2030.0,17.5,12.75,'phone','390x840',2015.0,4.25,NULL);
INSERT INTO "pages" VALUES(8,2,1,5,2,1,1,'block','eXEFnFaD0O1q-KZFZrGdmnraJELm0Y0T','{"texts": ["plain"], "options": {"q1": ["C", "A", "B", "UA"]}, "reading": "first", "one": true, "back": true}',2035.0,NULL,NULL,NULL,NULL,NULL,2037.5,4.25,'{"screen": 1, "form": {"q1": "1"}, "client_seconds": 8.5}');
INSERT INTO "pages" VALUES(9,3,1,NULL,0,0,0,'consent','_XJ9WIe9FpX74pzsj3eyjcXEz6tKLArW','{"texts": [], "options": {}}',2101.0,2102.0,1.0,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "pages" VALUES(10,4,1,NULL,0,0,0,'consent','sAAB2RXZT3_KSnAjxnehQW_nqDaLjz2P','{"texts": [], "options": {}}',2205.0,2207.5,2.5,4.25,'phone','390x840',NULL,NULL,NULL);
INSERT INTO "pages" VALUES(11,4,1,7,1,1,0,'block','787EC7xl9kAOd8dnXCK0gBH_-zzndFYC','{"texts": ["plain"], "options": {"q1": ["C", "A", "B", "UA"]}, "reading": "first", "one": true, "back": true}',2212.5,2230.0,17.5,12.75,'phone','390x840',2215.0,4.25,NULL);
INSERT INTO "pages" VALUES(12,4,1,8,2,1,1,'block','nMbt2D6iRPDMF-p19yfaHj3uAY114dUP','{"texts": ["hard"], "options": {"q1": ["C", "B", "A", "UA"]}, "reading": "first", "one": true, "back": true}',2235.0,2252.5,17.5,12.75,'phone','390x840',2237.5,4.25,NULL);
INSERT INTO "pages" VALUES(13,4,1,9,3,1,2,'block','pcl9GPdyzf0pwRk7P9AS1nlzJD58eOeL','{"texts": ["odd"], "options": {"q1": ["A", "C", "B", "UA"]}, "reading": "first", "one": true, "back": true}',2257.5,2275.0,17.5,12.75,'phone','390x840',2260.0,4.25,NULL);
INSERT INTO "pages" VALUES(14,4,1,NULL,4,2,0,'survey','aYYiavU_1Tvo1EpBVG-FIprjC3JKfXVR','{"texts": [], "options": {}}',2280.0,2282.5,2.5,4.25,'phone','390x840',NULL,NULL,NULL);
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
	finished FLOAT, reason VARCHAR(400), 
	CONSTRAINT pk_participants PRIMARY KEY (id), 
	CONSTRAINT uq_participants_hash_mode UNIQUE (hash, mode), 
	CONSTRAINT uq_participants_token UNIQUE (token)
);
INSERT INTO "participants" VALUES(1,'pilot','26917c6b9bddccf5b55de2a95c9cc1e1','Jm9ciOPpyqjnE0e0uf9uzWdVN5hLySL6',3,'complete','','',1000.0,1087.5,1087.5,NULL);
INSERT INTO "participants" VALUES(2,'pilot','120633a27bfe8081acfd58f46d2f368b','7O11uNVzK3YMztNDQTTzFfUggeCdO9KP',1,'','','',2000.0,2050.0,NULL,NULL);
INSERT INTO "participants" VALUES(3,'pilot','c040f53ac5a04e3226424ff2d0b3eaed','6cd-PWKve6Lbf5zeefbxHBlwjhklhUoY',0,'no_consent','','',2100.0,2102.0,2102.0,NULL);
INSERT INTO "participants" VALUES(4,'pilot','a6691d8f4c69e61ef49576332ee0451c','Rs9WZ1vWfytPURDwS8N63RFi9e7n1xu2',3,'complete','rejected','',2200.0,2287.5,2287.5,'copied the text');
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
CREATE TABLE revisions (
	id INTEGER NOT NULL, 
	mode VARCHAR(8) NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	created FLOAT NOT NULL, 
	CONSTRAINT pk_revisions PRIMARY KEY (id)
);
INSERT INTO "revisions" VALUES(1,'pilot','0c2702cbb37dfac43f8643c32e453880a2161e63103797fbeb450fa30fbd0f1b',1000.0);
CREATE TABLE settings (
	name VARCHAR(40) NOT NULL, 
	value TEXT NOT NULL, 
	CONSTRAINT pk_settings PRIMARY KEY (name)
);
INSERT INTO "settings" VALUES('allocation','');
CREATE TABLE tombstones (
	hash VARCHAR(64) NOT NULL, 
	created FLOAT NOT NULL, 
	CONSTRAINT pk_tombstones PRIMARY KEY (hash)
);
INSERT INTO "tombstones" VALUES('0f6e2fe5019378de88f98a77c35934ba',2500.0);
CREATE INDEX ix_cells_state ON cells (mode, state, block);
CREATE INDEX ix_assignments_lease ON assignments (state, leased_until);
CREATE UNIQUE INDEX uq_assignments_live_cell ON assignments (cell_id) WHERE state IN ('leased', 'done');
CREATE INDEX ix_answers_participant_id ON answers (participant_id);
COMMIT;
