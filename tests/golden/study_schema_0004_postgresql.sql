-- The database that version 0004 of the tables held: ann has finished, bob is in the middle of a page, cleo declined, dan was rejected, eve withdrew.
CREATE TABLE alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE answers (
    id integer NOT NULL,
    participant_id integer NOT NULL,
    page_id integer NOT NULL,
    assignment_id integer,
    revision_id integer NOT NULL,
    question character varying(200) NOT NULL,
    target character varying(160) NOT NULL,
    value text NOT NULL,
    shown integer,
    asked boolean NOT NULL,
    late boolean NOT NULL,
    created double precision NOT NULL
);
CREATE SEQUENCE answers_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE answers_id_seq OWNED BY answers.id;
CREATE TABLE assignments (
    id integer NOT NULL,
    participant_id integer NOT NULL,
    cell_id integer NOT NULL,
    item character varying(400) NOT NULL,
    arm character varying(400) NOT NULL,
    "position" integer NOT NULL,
    state character varying(8) NOT NULL,
    leased_until double precision NOT NULL,
    created double precision NOT NULL
);
CREATE SEQUENCE assignments_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE assignments_id_seq OWNED BY assignments.id;
CREATE TABLE audit (
    id integer NOT NULL,
    created double precision NOT NULL,
    action character varying(40) NOT NULL,
    detail text NOT NULL,
    actor character varying(80)
);
CREATE SEQUENCE audit_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE audit_id_seq OWNED BY audit.id;
CREATE TABLE backups (
    id integer NOT NULL,
    created double precision NOT NULL,
    file text NOT NULL,
    sha256 character varying(64) NOT NULL,
    participants text NOT NULL,
    answers integer NOT NULL,
    removed integer NOT NULL
);
CREATE SEQUENCE backups_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE backups_id_seq OWNED BY backups.id;
CREATE TABLE cells (
    id integer NOT NULL,
    mode character varying(8) NOT NULL,
    item character varying(400) NOT NULL,
    arm character varying(400) NOT NULL,
    replicate integer NOT NULL,
    block integer NOT NULL,
    block_size integer NOT NULL,
    state character varying(8) NOT NULL,
    surplus boolean NOT NULL,
    retired boolean NOT NULL
);
CREATE SEQUENCE cells_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE cells_id_seq OWNED BY cells.id;
CREATE TABLE imports (
    id integer NOT NULL,
    participant_id integer NOT NULL,
    format character varying(40) NOT NULL,
    number integer NOT NULL,
    payload text NOT NULL
);
CREATE SEQUENCE imports_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE imports_id_seq OWNED BY imports.id;
CREATE TABLE pages (
    id integer NOT NULL,
    participant_id integer NOT NULL,
    revision_id integer NOT NULL,
    assignment_id integer,
    "position" integer NOT NULL,
    step integer NOT NULL,
    part integer NOT NULL,
    kind character varying(16) NOT NULL,
    token character varying(64) NOT NULL,
    layout text NOT NULL,
    opened double precision NOT NULL,
    submitted double precision,
    seconds double precision,
    client_seconds double precision,
    device character varying(8),
    viewport character varying(12),
    read double precision,
    reading_client_seconds double precision,
    draft text
);
CREATE SEQUENCE pages_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE pages_id_seq OWNED BY pages.id;
CREATE TABLE participants (
    id integer NOT NULL,
    mode character varying(8) NOT NULL,
    hash character varying(64) NOT NULL,
    token character varying(64) NOT NULL,
    step integer NOT NULL,
    outcome character varying(16) NOT NULL,
    review character varying(16) NOT NULL,
    recruiter_study character varying(80) NOT NULL,
    created double precision NOT NULL,
    last_seen double precision NOT NULL,
    finished double precision,
    reason character varying(400)
);
CREATE SEQUENCE participants_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE participants_id_seq OWNED BY participants.id;
CREATE TABLE resubmissions (
    id integer NOT NULL,
    participant_id integer NOT NULL,
    page_id integer NOT NULL,
    payload text NOT NULL,
    created double precision NOT NULL
);
CREATE SEQUENCE resubmissions_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE resubmissions_id_seq OWNED BY resubmissions.id;
CREATE TABLE revisions (
    id integer NOT NULL,
    mode character varying(8) NOT NULL,
    digest character varying(64) NOT NULL,
    created double precision NOT NULL
);
CREATE SEQUENCE revisions_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE revisions_id_seq OWNED BY revisions.id;
CREATE TABLE settings (
    name character varying(40) NOT NULL,
    value text NOT NULL
);
CREATE TABLE tombstones (
    hash character varying(64) NOT NULL,
    created double precision NOT NULL
);
ALTER TABLE ONLY answers ALTER COLUMN id SET DEFAULT nextval('answers_id_seq'::regclass);
ALTER TABLE ONLY assignments ALTER COLUMN id SET DEFAULT nextval('assignments_id_seq'::regclass);
ALTER TABLE ONLY audit ALTER COLUMN id SET DEFAULT nextval('audit_id_seq'::regclass);
ALTER TABLE ONLY backups ALTER COLUMN id SET DEFAULT nextval('backups_id_seq'::regclass);
ALTER TABLE ONLY cells ALTER COLUMN id SET DEFAULT nextval('cells_id_seq'::regclass);
ALTER TABLE ONLY imports ALTER COLUMN id SET DEFAULT nextval('imports_id_seq'::regclass);
ALTER TABLE ONLY pages ALTER COLUMN id SET DEFAULT nextval('pages_id_seq'::regclass);
ALTER TABLE ONLY participants ALTER COLUMN id SET DEFAULT nextval('participants_id_seq'::regclass);
ALTER TABLE ONLY resubmissions ALTER COLUMN id SET DEFAULT nextval('resubmissions_id_seq'::regclass);
ALTER TABLE ONLY revisions ALTER COLUMN id SET DEFAULT nextval('revisions_id_seq'::regclass);
INSERT INTO alembic_version VALUES ('0004');
INSERT INTO answers VALUES (1, 1, 1, NULL, 1, 'consent', '', 'yes', 1, true, false, 1007.5);
INSERT INTO answers VALUES (2, 1, 2, 1, 1, 'q1', '', 'B', 1, true, false, 1030);
INSERT INTO answers VALUES (3, 1, 2, 1, 1, 'ease', '', '1', 1, true, false, 1030);
INSERT INTO answers VALUES (4, 1, 3, 2, 1, 'q1', '', 'B', 1, true, false, 1052.5);
INSERT INTO answers VALUES (5, 1, 3, 2, 1, 'ease', '', '1', 1, true, false, 1052.5);
INSERT INTO answers VALUES (6, 1, 4, 3, 1, 'q1', '', 'B', 1, true, false, 1075);
INSERT INTO answers VALUES (7, 1, 4, 3, 1, 'ease', '', '1', 1, true, false, 1075);
INSERT INTO answers VALUES (8, 1, 5, NULL, 1, 'age', '', '1', NULL, true, false, 1082.5);
INSERT INTO answers VALUES (9, 2, 6, NULL, 1, 'consent', '', 'yes', 1, true, false, 2007.5);
INSERT INTO answers VALUES (10, 2, 7, 4, 1, 'q1', '', 'C', 1, true, false, 2030);
INSERT INTO answers VALUES (11, 2, 7, 4, 1, 'ease', '', '1', 1, true, false, 2030);
INSERT INTO answers VALUES (12, 3, 9, NULL, 1, 'consent', '', 'no', 2, true, false, 2102);
INSERT INTO answers VALUES (13, 4, 10, NULL, 1, 'consent', '', 'yes', 1, true, false, 2207.5);
INSERT INTO answers VALUES (14, 4, 11, 7, 1, 'q1', '', 'C', 1, true, false, 2230);
INSERT INTO answers VALUES (15, 4, 11, 7, 1, 'ease', '', '1', 1, true, false, 2230);
INSERT INTO answers VALUES (16, 4, 12, 8, 1, 'q1', '', 'C', 1, true, false, 2252.5);
INSERT INTO answers VALUES (17, 4, 12, 8, 1, 'ease', '', '1', 1, true, false, 2252.5);
INSERT INTO answers VALUES (18, 4, 13, 9, 1, 'q1', '', 'A', 1, true, false, 2275);
INSERT INTO answers VALUES (19, 4, 13, 9, 1, 'ease', '', '1', 1, true, false, 2275);
INSERT INTO answers VALUES (20, 4, 14, NULL, 1, 'age', '', '1', NULL, true, false, 2282.5);
INSERT INTO assignments VALUES (1, 1, 3, 'i0', 'plain', 0, 'done', 1627.5, 1012.5);
INSERT INTO assignments VALUES (2, 1, 1, 'i4', 'odd', 1, 'done', 1650, 1012.5);
INSERT INTO assignments VALUES (3, 1, 2, 'i1', 'hard', 2, 'done', 1672.5, 1012.5);
INSERT INTO assignments VALUES (4, 2, 4, 'i0', 'hard', 0, 'done', 2627.5, 2012.5);
INSERT INTO assignments VALUES (5, 2, 5, 'i5', 'plain', 1, 'leased', 2650, 2012.5);
INSERT INTO assignments VALUES (6, 2, 6, 'i2', 'odd', 2, 'leased', 2650, 2012.5);
INSERT INTO assignments VALUES (9, 4, 9, 'i0', 'odd', 2, 'rejected', 2872.5, 2212.5);
INSERT INTO assignments VALUES (7, 4, 7, 'i4', 'plain', 0, 'rejected', 2827.5, 2212.5);
INSERT INTO assignments VALUES (8, 4, 8, 'i5', 'hard', 1, 'rejected', 2850, 2212.5);
INSERT INTO audit VALUES (1, 2300, 'review', 'participant a6691d8f4c69 rejected: copied the text', 'admin');
INSERT INTO audit VALUES (2, 2500, 'withdrawal', '1 removed', 'participant');
INSERT INTO audit VALUES (3, 2600, 'export', 'csv, 1 rows', 'admin');
INSERT INTO cells VALUES (10, 'pilot', 'i3', 'hard', 0, 3, 3, 'free', false, false);
INSERT INTO cells VALUES (11, 'pilot', 'i1', 'plain', 0, 3, 3, 'free', false, false);
INSERT INTO cells VALUES (12, 'pilot', 'i5', 'odd', 0, 3, 3, 'free', false, false);
INSERT INTO cells VALUES (13, 'pilot', 'i3', 'odd', 0, 4, 3, 'free', false, false);
INSERT INTO cells VALUES (14, 'pilot', 'i4', 'hard', 0, 4, 3, 'free', false, false);
INSERT INTO cells VALUES (15, 'pilot', 'i2', 'plain', 0, 4, 3, 'free', false, false);
INSERT INTO cells VALUES (16, 'pilot', 'i2', 'hard', 0, 5, 3, 'free', false, false);
INSERT INTO cells VALUES (17, 'pilot', 'i1', 'odd', 0, 5, 3, 'free', false, false);
INSERT INTO cells VALUES (18, 'pilot', 'i3', 'plain', 0, 5, 3, 'free', false, false);
INSERT INTO cells VALUES (3, 'pilot', 'i0', 'plain', 0, 0, 3, 'done', false, false);
INSERT INTO cells VALUES (1, 'pilot', 'i4', 'odd', 0, 0, 3, 'done', false, false);
INSERT INTO cells VALUES (2, 'pilot', 'i1', 'hard', 0, 0, 3, 'done', false, false);
INSERT INTO cells VALUES (5, 'pilot', 'i5', 'plain', 0, 1, 3, 'leased', false, false);
INSERT INTO cells VALUES (6, 'pilot', 'i2', 'odd', 0, 1, 3, 'leased', false, false);
INSERT INTO cells VALUES (4, 'pilot', 'i0', 'hard', 0, 1, 3, 'done', false, false);
INSERT INTO cells VALUES (9, 'pilot', 'i0', 'odd', 0, 2, 3, 'free', false, false);
INSERT INTO cells VALUES (7, 'pilot', 'i4', 'plain', 0, 2, 3, 'free', false, false);
INSERT INTO cells VALUES (8, 'pilot', 'i5', 'hard', 0, 2, 3, 'free', false, false);
INSERT INTO pages VALUES (1, 1, 1, NULL, 0, 0, 0, 'consent', 'TEqolDJIDPGiPaIMKaYIJ5Bn8nvOhqIL', '{"texts": [], "options": {}}', 1005, 1007.5, 2.5, 4.25, 'phone', '390x840', NULL, NULL, NULL);
INSERT INTO pages VALUES (11, 4, 1, 7, 1, 1, 0, 'block', 'Nttl6b0SdokuxsQ-IhhevV7l9eo5OomB', '{"texts": ["plain"], "options": {"q1": ["C", "A", "B", "UA"]}, "reading": "first", "one": true, "back": true}', 2212.5, 2230, 17.5, 12.75, 'phone', '390x840', 2215, 4.25, NULL);
INSERT INTO pages VALUES (2, 1, 1, 1, 1, 1, 0, 'block', 'ClC3wY80X3b8kmpySKCHBHAsqXiRegB4', '{"texts": ["plain"], "options": {"q1": ["B", "C", "A", "UA"]}, "reading": "first", "one": true, "back": true}', 1012.5, 1030, 17.5, 12.75, 'phone', '390x840', 1015, 4.25, NULL);
INSERT INTO pages VALUES (3, 1, 1, 2, 2, 1, 1, 'block', '1ULnjXdZ-4d4vAHx9rmWsPoZrdqa_NSy', '{"texts": ["odd"], "options": {"q1": ["B", "C", "A", "UA"]}, "reading": "first", "one": true, "back": true}', 1035, 1052.5, 17.5, 12.75, 'phone', '390x840', 1037.5, 4.25, NULL);
INSERT INTO pages VALUES (12, 4, 1, 8, 2, 1, 1, 'block', 'jSMnNEBn2o5Qe6IGQwxtAcJctvUHH4re', '{"texts": ["hard"], "options": {"q1": ["C", "B", "A", "UA"]}, "reading": "first", "one": true, "back": true}', 2235, 2252.5, 17.5, 12.75, 'phone', '390x840', 2237.5, 4.25, NULL);
INSERT INTO pages VALUES (4, 1, 1, 3, 3, 1, 2, 'block', '4_1YgGd71wjuKsE78bHvtgP8e0EoST35', '{"texts": ["hard"], "options": {"q1": ["B", "C", "A", "UA"]}, "reading": "first", "one": true, "back": true}', 1057.5, 1075, 17.5, 12.75, 'phone', '390x840', 1060, 4.25, NULL);
INSERT INTO pages VALUES (5, 1, 1, NULL, 4, 2, 0, 'survey', '9hJmBH_S6QhAUgLLBYFxy3ErR5zWZwLN', '{"texts": [], "options": {}}', 1080, 1082.5, 2.5, 4.25, 'phone', '390x840', NULL, NULL, NULL);
INSERT INTO pages VALUES (6, 2, 1, NULL, 0, 0, 0, 'consent', 'sUnwx59YYNLE08_p7n0-t7bcy-Cx_Vvu', '{"texts": [], "options": {}}', 2005, 2007.5, 2.5, 4.25, 'phone', '390x840', NULL, NULL, NULL);
INSERT INTO pages VALUES (7, 2, 1, 4, 1, 1, 0, 'block', 'xS4hh1fc-OiJuXmrAygPwUa5-Iwa190t', '{"texts": ["hard"], "options": {"q1": ["C", "B", "A", "UA"]}, "reading": "first", "one": true, "back": true}', 2012.5, 2030, 17.5, 12.75, 'phone', '390x840', 2015, 4.25, NULL);
INSERT INTO pages VALUES (13, 4, 1, 9, 3, 1, 2, 'block', 'UHZH8CWLSO9ve_26gz5n7qm-Mr5-nDWW', '{"texts": ["odd"], "options": {"q1": ["A", "C", "B", "UA"]}, "reading": "first", "one": true, "back": true}', 2257.5, 2275, 17.5, 12.75, 'phone', '390x840', 2260, 4.25, NULL);
INSERT INTO pages VALUES (8, 2, 1, 5, 2, 1, 1, 'block', 'bHAU3kBq9RHBPCNFyrXaAXZbO74Qkmhw', '{"texts": ["plain"], "options": {"q1": ["C", "A", "B", "UA"]}, "reading": "first", "one": true, "back": true}', 2035, NULL, NULL, NULL, NULL, NULL, 2037.5, 4.25, '{"screen": 1, "form": {"q1": "1"}, "client_seconds": 8.5}');
INSERT INTO pages VALUES (9, 3, 1, NULL, 0, 0, 0, 'consent', 'La66W1WXbVhwtj1te812dOR72lR-Mupr', '{"texts": [], "options": {}}', 2101, 2102, 1, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pages VALUES (10, 4, 1, NULL, 0, 0, 0, 'consent', 'xXHEh4qrT64X5LSFolnx8UV8Rav9mXji', '{"texts": [], "options": {}}', 2205, 2207.5, 2.5, 4.25, 'phone', '390x840', NULL, NULL, NULL);
INSERT INTO pages VALUES (14, 4, 1, NULL, 4, 2, 0, 'survey', 'lHB5T9T-MNYQn7KpJ1h9qHM174-bQvCl', '{"texts": [], "options": {}}', 2280, 2282.5, 2.5, 4.25, 'phone', '390x840', NULL, NULL, NULL);
INSERT INTO participants VALUES (4, 'pilot', 'a6691d8f4c69e61ef49576332ee0451c', 'vWZcG3bMc-ry0VJdvncNW23_IkC2qSGd', 3, 'complete', 'rejected', '', 2200, 2287.5, 2287.5, 'copied the text');
INSERT INTO participants VALUES (1, 'pilot', '26917c6b9bddccf5b55de2a95c9cc1e1', 'ThOAJU2nW1bwylmSbwIkN0Bfa-GofI-1', 3, 'complete', '', '', 1000, 1087.5, 1087.5, NULL);
INSERT INTO participants VALUES (2, 'pilot', '120633a27bfe8081acfd58f46d2f368b', 'g1CrjjLnqBR3sNeMGO5D69im9r4cH0dJ', 1, '', '', '', 2000, 2050, NULL, NULL);
INSERT INTO participants VALUES (3, 'pilot', 'c040f53ac5a04e3226424ff2d0b3eaed', 'gczZ6gC-Xx9dV03U4VSVvqiuNFX_r2M0', 0, 'no_consent', '', '', 2100, 2102, 2102, NULL);
INSERT INTO revisions VALUES (1, 'pilot', '0c2702cbb37dfac43f8643c32e453880a2161e63103797fbeb450fa30fbd0f1b', 1000);
INSERT INTO settings VALUES ('allocation', '');
INSERT INTO tombstones VALUES ('0f6e2fe5019378de88f98a77c35934ba', 2500);
SELECT pg_catalog.setval('answers_id_seq', 21, true);
SELECT pg_catalog.setval('assignments_id_seq', 12, true);
SELECT pg_catalog.setval('audit_id_seq', 3, true);
SELECT pg_catalog.setval('backups_id_seq', 1, false);
SELECT pg_catalog.setval('cells_id_seq', 18, true);
SELECT pg_catalog.setval('imports_id_seq', 1, false);
SELECT pg_catalog.setval('pages_id_seq', 16, true);
SELECT pg_catalog.setval('participants_id_seq', 5, true);
SELECT pg_catalog.setval('resubmissions_id_seq', 1, false);
SELECT pg_catalog.setval('revisions_id_seq', 1, true);
ALTER TABLE ONLY alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY answers
    ADD CONSTRAINT pk_answers PRIMARY KEY (id);
ALTER TABLE ONLY assignments
    ADD CONSTRAINT pk_assignments PRIMARY KEY (id);
ALTER TABLE ONLY audit
    ADD CONSTRAINT pk_audit PRIMARY KEY (id);
ALTER TABLE ONLY backups
    ADD CONSTRAINT pk_backups PRIMARY KEY (id);
ALTER TABLE ONLY cells
    ADD CONSTRAINT pk_cells PRIMARY KEY (id);
ALTER TABLE ONLY imports
    ADD CONSTRAINT pk_imports PRIMARY KEY (id);
ALTER TABLE ONLY pages
    ADD CONSTRAINT pk_pages PRIMARY KEY (id);
ALTER TABLE ONLY participants
    ADD CONSTRAINT pk_participants PRIMARY KEY (id);
ALTER TABLE ONLY resubmissions
    ADD CONSTRAINT pk_resubmissions PRIMARY KEY (id);
ALTER TABLE ONLY revisions
    ADD CONSTRAINT pk_revisions PRIMARY KEY (id);
ALTER TABLE ONLY settings
    ADD CONSTRAINT pk_settings PRIMARY KEY (name);
ALTER TABLE ONLY tombstones
    ADD CONSTRAINT pk_tombstones PRIMARY KEY (hash);
ALTER TABLE ONLY answers
    ADD CONSTRAINT uq_answers_assignment_id_question UNIQUE (assignment_id, question);
ALTER TABLE ONLY answers
    ADD CONSTRAINT uq_answers_page_id_question UNIQUE (page_id, question);
ALTER TABLE ONLY assignments
    ADD CONSTRAINT uq_assignments_participant_id_item UNIQUE (participant_id, item);
ALTER TABLE ONLY cells
    ADD CONSTRAINT uq_cells_mode_item_arm_replicate UNIQUE (mode, item, arm, replicate);
ALTER TABLE ONLY imports
    ADD CONSTRAINT uq_imports_format_number UNIQUE (format, number);
ALTER TABLE ONLY pages
    ADD CONSTRAINT uq_pages_assignment_id UNIQUE (assignment_id);
ALTER TABLE ONLY pages
    ADD CONSTRAINT uq_pages_participant_id_position UNIQUE (participant_id, "position");
ALTER TABLE ONLY pages
    ADD CONSTRAINT uq_pages_token UNIQUE (token);
ALTER TABLE ONLY participants
    ADD CONSTRAINT uq_participants_hash_mode UNIQUE (hash, mode);
ALTER TABLE ONLY participants
    ADD CONSTRAINT uq_participants_token UNIQUE (token);
CREATE INDEX ix_answers_participant_id ON answers USING btree (participant_id);
CREATE INDEX ix_assignments_lease ON assignments USING btree (state, leased_until);
CREATE INDEX ix_cells_state ON cells USING btree (mode, state, block);
CREATE UNIQUE INDEX uq_assignments_live_cell ON assignments USING btree (cell_id) WHERE ((state)::text = ANY ((ARRAY['leased'::character varying, 'done'::character varying])::text[]));
ALTER TABLE ONLY answers
    ADD CONSTRAINT fk_answers_assignment_id FOREIGN KEY (assignment_id) REFERENCES assignments(id) ON DELETE CASCADE;
ALTER TABLE ONLY answers
    ADD CONSTRAINT fk_answers_page_id FOREIGN KEY (page_id) REFERENCES pages(id) ON DELETE CASCADE;
ALTER TABLE ONLY answers
    ADD CONSTRAINT fk_answers_participant_id FOREIGN KEY (participant_id) REFERENCES participants(id) ON DELETE CASCADE;
ALTER TABLE ONLY answers
    ADD CONSTRAINT fk_answers_revision_id FOREIGN KEY (revision_id) REFERENCES revisions(id);
ALTER TABLE ONLY assignments
    ADD CONSTRAINT fk_assignments_cell_id FOREIGN KEY (cell_id) REFERENCES cells(id);
ALTER TABLE ONLY assignments
    ADD CONSTRAINT fk_assignments_participant_id FOREIGN KEY (participant_id) REFERENCES participants(id) ON DELETE CASCADE;
ALTER TABLE ONLY imports
    ADD CONSTRAINT fk_imports_participant_id FOREIGN KEY (participant_id) REFERENCES participants(id) ON DELETE CASCADE;
ALTER TABLE ONLY pages
    ADD CONSTRAINT fk_pages_assignment_id FOREIGN KEY (assignment_id) REFERENCES assignments(id) ON DELETE CASCADE;
ALTER TABLE ONLY pages
    ADD CONSTRAINT fk_pages_participant_id FOREIGN KEY (participant_id) REFERENCES participants(id) ON DELETE CASCADE;
ALTER TABLE ONLY pages
    ADD CONSTRAINT fk_pages_revision_id FOREIGN KEY (revision_id) REFERENCES revisions(id);
ALTER TABLE ONLY resubmissions
    ADD CONSTRAINT fk_resubmissions_page_id FOREIGN KEY (page_id) REFERENCES pages(id) ON DELETE CASCADE;
ALTER TABLE ONLY resubmissions
    ADD CONSTRAINT fk_resubmissions_participant_id FOREIGN KEY (participant_id) REFERENCES participants(id) ON DELETE CASCADE;
