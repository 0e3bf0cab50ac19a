-- The database that the first version of the tables (0001) held after one participant had finished and one had begun.
BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
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
INSERT INTO "answers" VALUES(1,1,1,NULL,1,'consent','','yes',1,1,0,11.0);
INSERT INTO "answers" VALUES(2,1,2,1,1,'q1','','B',1,1,0,21.0);
INSERT INTO "answers" VALUES(3,1,3,2,1,'q1','','B',1,1,0,31.0);
INSERT INTO "answers" VALUES(4,1,4,3,1,'q1','','B',1,1,0,41.0);
INSERT INTO "answers" VALUES(5,1,5,NULL,1,'age','','1',NULL,1,0,51.0);
INSERT INTO "answers" VALUES(6,2,6,NULL,1,'consent','','yes',1,1,0,60.0);
INSERT INTO "answers" VALUES(7,2,7,4,1,'q1','','C',1,1,0,70.0);
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
INSERT INTO "assignments" VALUES(1,1,3,'i0','plain',0,'done',616.0,16.0);
INSERT INTO "assignments" VALUES(2,1,1,'i4','odd',1,'done',626.0,16.0);
INSERT INTO "assignments" VALUES(3,1,2,'i1','hard',2,'done',636.0,16.0);
INSERT INTO "assignments" VALUES(4,2,4,'i0','hard',0,'done',665.0,65.0);
INSERT INTO "assignments" VALUES(5,2,5,'i5','plain',1,'leased',675.0,65.0);
INSERT INTO "assignments" VALUES(6,2,6,'i2','odd',2,'leased',675.0,65.0);
CREATE TABLE audit (
	id INTEGER NOT NULL, 
	created FLOAT NOT NULL, 
	action VARCHAR(40) NOT NULL, 
	detail TEXT NOT NULL, 
	CONSTRAINT pk_audit PRIMARY KEY (id)
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
	client_seconds FLOAT, 
	CONSTRAINT pk_pages PRIMARY KEY (id), 
	CONSTRAINT fk_pages_assignment_id FOREIGN KEY(assignment_id) REFERENCES assignments (id) ON DELETE CASCADE, 
	CONSTRAINT fk_pages_participant_id FOREIGN KEY(participant_id) REFERENCES participants (id) ON DELETE CASCADE, 
	CONSTRAINT fk_pages_revision_id FOREIGN KEY(revision_id) REFERENCES revisions (id), 
	CONSTRAINT uq_pages_assignment_id UNIQUE (assignment_id), 
	CONSTRAINT uq_pages_participant_id_position UNIQUE (participant_id, position), 
	CONSTRAINT uq_pages_token UNIQUE (token)
);
INSERT INTO "pages" VALUES(1,1,1,NULL,0,0,0,'consent','MXqzAlwxLQgqXuiGFVMaUwztLilCSeBN','{"texts": [], "options": {}}',6.0,11.0,5.0,NULL);
INSERT INTO "pages" VALUES(2,1,1,1,1,1,0,'block','Lw1gNGCDByWBL8djLKlIUIOpfRos36AC','{"texts": ["plain"], "options": {"q1": ["B", "C", "A", "UA"]}}',16.0,21.0,5.0,NULL);
INSERT INTO "pages" VALUES(3,1,1,2,2,1,1,'block','i7OM3k_wIzozAjgEWBpT5F4Niw1aLZeP','{"texts": ["odd"], "options": {"q1": ["B", "C", "A", "UA"]}}',26.0,31.0,5.0,NULL);
INSERT INTO "pages" VALUES(4,1,1,3,3,1,2,'block','bh7799gEmAobkt4M9esLgNwUdxvuCbjM','{"texts": ["hard"], "options": {"q1": ["B", "C", "A", "UA"]}}',36.0,41.0,5.0,NULL);
INSERT INTO "pages" VALUES(5,1,1,NULL,4,2,0,'survey','hcVRpM7WF9sCNRDAsLpooAmBMSlVqFql','{"texts": [], "options": {}}',46.0,51.0,5.0,NULL);
INSERT INTO "pages" VALUES(6,2,1,NULL,0,0,0,'consent','RinzmMqts0BbErc-9vrSoudDFI36XAZ8','{"texts": [], "options": {}}',55.0,60.0,5.0,NULL);
INSERT INTO "pages" VALUES(7,2,1,4,1,1,0,'block','7aAyyyE8sBg5eKn5akZT1swdq4QpbUBG','{"texts": ["hard"], "options": {"q1": ["C", "B", "A", "UA"]}}',65.0,70.0,5.0,NULL);
INSERT INTO "pages" VALUES(8,2,1,5,2,1,1,'block','f26fwe0womWAD7r0EfVp21ApXD9ZknfZ','{"texts": ["plain"], "options": {"q1": ["C", "A", "B", "UA"]}}',75.0,NULL,NULL,NULL);
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
INSERT INTO "participants" VALUES(1,'pilot','26917c6b9bddccf5b55de2a95c9cc1e1','FFaXG00b3J2jKrQikIFEHHj7FYSCknbv',3,'complete','','',1.0,56.0,56.0);
INSERT INTO "participants" VALUES(2,'pilot','120633a27bfe8081acfd58f46d2f368b','WsyQrNn9Tq7AqyTmhClsh3WioLxU36zm',1,'','','',50.0,75.0,NULL);
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
INSERT INTO "revisions" VALUES(1,'pilot','e9845398394734644b23f1591e5ad25a3ad623b2a006dedf9af9a620e99a5d20',0.0);
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
