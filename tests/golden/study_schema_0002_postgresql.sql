-- The database that version 0002 of the tables held: ann has finished, bob is in the middle, cleo declined, dan was rejected.
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
    detail text NOT NULL
);
CREATE SEQUENCE audit_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE audit_id_seq OWNED BY audit.id;
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
    viewport character varying(12)
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
    finished double precision
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
ALTER TABLE ONLY answers ALTER COLUMN id SET DEFAULT nextval('answers_id_seq'::regclass);
ALTER TABLE ONLY assignments ALTER COLUMN id SET DEFAULT nextval('assignments_id_seq'::regclass);
ALTER TABLE ONLY audit ALTER COLUMN id SET DEFAULT nextval('audit_id_seq'::regclass);
ALTER TABLE ONLY cells ALTER COLUMN id SET DEFAULT nextval('cells_id_seq'::regclass);
ALTER TABLE ONLY imports ALTER COLUMN id SET DEFAULT nextval('imports_id_seq'::regclass);
ALTER TABLE ONLY pages ALTER COLUMN id SET DEFAULT nextval('pages_id_seq'::regclass);
ALTER TABLE ONLY participants ALTER COLUMN id SET DEFAULT nextval('participants_id_seq'::regclass);
ALTER TABLE ONLY resubmissions ALTER COLUMN id SET DEFAULT nextval('resubmissions_id_seq'::regclass);
ALTER TABLE ONLY revisions ALTER COLUMN id SET DEFAULT nextval('revisions_id_seq'::regclass);
INSERT INTO alembic_version VALUES ('0002');
INSERT INTO answers VALUES (1, 1, 1, NULL, 1, 'consent', '', 'yes', 1, true, false, 1010.5);
INSERT INTO answers VALUES (2, 1, 2, 1, 1, 'q1', '', 'B', 1, true, false, 1015.5);
INSERT INTO answers VALUES (3, 1, 3, NULL, 1, 'see', '', 'A', 1, true, false, 1020.5);
INSERT INTO answers VALUES (4, 1, 4, 2, 1, 'q1', '', 'B', 1, true, false, 1025.5);
INSERT INTO answers VALUES (5, 1, 5, 3, 1, 'q1', '', 'A', 1, true, false, 1030.5);
INSERT INTO answers VALUES (6, 1, 6, NULL, 1, 'age', '', '1', NULL, true, false, 1035.5);
INSERT INTO answers VALUES (7, 1, 7, NULL, 1, 'note', '', 'Grüße, “easy” enough
and a second line', NULL, true, false, 1040.5);
INSERT INTO answers VALUES (8, 2, 8, NULL, 1, 'consent', '', 'yes', 1, true, false, 2010);
INSERT INTO answers VALUES (9, 2, 9, 4, 1, 'q1', '', 'C', 1, true, false, 2020);
INSERT INTO answers VALUES (10, 2, 10, NULL, 1, 'see', '', 'A', 1, true, false, 2030);
INSERT INTO answers VALUES (11, 3, 12, NULL, 1, 'consent', '', 'no', 2, true, false, 2102);
INSERT INTO answers VALUES (12, 4, 13, NULL, 1, 'consent', '', 'yes', 1, true, false, 2210);
INSERT INTO answers VALUES (13, 4, 14, 7, 1, 'q1', '', 'C', 1, true, false, 2220);
INSERT INTO answers VALUES (14, 4, 15, NULL, 1, 'see', '', 'B', 1, true, false, 2230);
INSERT INTO answers VALUES (15, 4, 16, 8, 1, 'q1', '', 'A', 1, true, false, 2240);
INSERT INTO answers VALUES (16, 4, 17, 9, 1, 'q1', '', 'C', 1, true, false, 2250);
INSERT INTO answers VALUES (17, 4, 18, NULL, 1, 'age', '', '1', NULL, true, false, 2260);
INSERT INTO answers VALUES (18, 4, 19, NULL, 1, 'note', '', 'Something in other words.', NULL, true, false, 2270);
INSERT INTO assignments VALUES (1, 1, 3, 'i0', 'plain', 0, 'done', 1611, 1011);
INSERT INTO assignments VALUES (2, 1, 1, 'i4', 'odd', 1, 'done', 1621, 1011);
INSERT INTO assignments VALUES (3, 1, 2, 'i1', 'hard', 2, 'done', 1626, 1011);
INSERT INTO assignments VALUES (4, 2, 4, 'i0', 'hard', 0, 'done', 2615, 2015);
INSERT INTO assignments VALUES (5, 2, 5, 'i5', 'plain', 1, 'leased', 2635, 2015);
INSERT INTO assignments VALUES (6, 2, 6, 'i2', 'odd', 2, 'leased', 2635, 2015);
INSERT INTO assignments VALUES (9, 4, 9, 'i0', 'odd', 2, 'rejected', 2845, 2215);
INSERT INTO assignments VALUES (7, 4, 7, 'i4', 'plain', 0, 'rejected', 2815, 2215);
INSERT INTO assignments VALUES (8, 4, 8, 'i5', 'hard', 1, 'rejected', 2835, 2215);
INSERT INTO audit VALUES (1, 1041, 'review', 'participant 26917c6b9bdd accepted');
INSERT INTO audit VALUES (2, 2400, 'review', 'participant a6691d8f4c69 rejected');
INSERT INTO audit VALUES (3, 2500, 'pause', 'pilot');
INSERT INTO audit VALUES (4, 2501, 'resume', 'pilot');
INSERT INTO audit VALUES (5, 2600, 'export', 'csv, 12 rows');
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
INSERT INTO pages VALUES (1, 1, 1, NULL, 0, 0, 0, 'consent', 'AUZVSGV6qclGZTpOUYSee-eN5gxGGHIu', '{"texts": [], "options": {}}', 1006, 1010.5, 4.5, 4.25, 'phone', '390x840');
INSERT INTO pages VALUES (2, 1, 1, 1, 1, 1, 0, 'block', 'c7LOiugn-LNWm-iPz72qC6NSA-5qFmMk', '{"texts": ["plain"], "options": {"q1": ["B", "C", "A", "UA"]}}', 1011, 1015.5, 4.5, 4.25, 'phone', '390x840');
INSERT INTO pages VALUES (3, 1, 1, NULL, 2, 1, -1, 'attention', 'ifpb8Qvw0UheE-COmg00u-AgWCGi3hfl', '{"texts": [], "options": {"see": ["A", "B"]}}', 1016, 1020.5, 4.5, 4.25, 'phone', '390x840');
INSERT INTO pages VALUES (4, 1, 1, 2, 3, 1, 1, 'block', 'C5q9iJk7EI41lrIEHxynLvn44G2TRnav', '{"texts": ["odd"], "options": {"q1": ["B", "C", "A", "UA"]}}', 1021, 1025.5, 4.5, 4.25, 'phone', '390x840');
INSERT INTO pages VALUES (5, 1, 1, 3, 4, 1, 2, 'block', 'OHSzzhUKse3M2l7LQwDI9UkoaPYXxzHv', '{"texts": ["hard"], "options": {"q1": ["A", "B", "C", "UA"]}}', 1026, 1030.5, 4.5, 4.25, 'phone', '390x840');
INSERT INTO pages VALUES (6, 1, 1, NULL, 5, 2, 0, 'survey', '-dy6RZdysqpgcJgsTyvWfzb7fGphOvwc', '{"texts": [], "options": {}}', 1031, 1035.5, 4.5, 4.25, 'phone', '390x840');
INSERT INTO pages VALUES (7, 1, 1, NULL, 6, 3, 0, 'survey', 'U2-aCcKRV7it3MxGnpie41hMmgRzFAqb', '{"texts": [], "options": {}}', 1036, 1040.5, 4.5, 4.25, 'phone', '390x840');
INSERT INTO pages VALUES (8, 2, 1, NULL, 0, 0, 0, 'consent', 'YgF_gAH7oLd_4LOP9CVD8QKQoD8cQncw', '{"texts": [], "options": {}}', 2005, 2010, 5, NULL, NULL, NULL);
INSERT INTO pages VALUES (9, 2, 1, 4, 1, 1, 0, 'block', 'J7g1AUO1j3Qp18bhBumKkw5PglPyn1qs', '{"texts": ["hard"], "options": {"q1": ["C", "B", "A", "UA"]}}', 2015, 2020, 5, NULL, NULL, NULL);
INSERT INTO pages VALUES (10, 2, 1, NULL, 2, 1, -1, 'attention', '1jYoQDgSuvSWuKRlW7qGgUtIwEY2QBjp', '{"texts": [], "options": {"see": ["A", "B"]}}', 2025, 2030, 5, NULL, NULL, NULL);
INSERT INTO pages VALUES (11, 2, 1, 5, 3, 1, 1, 'block', 'VM1w5shOUcGvtTZ15Dxfvwx0SszFrrSk', '{"texts": ["plain"], "options": {"q1": ["B", "C", "A", "UA"]}}', 2035, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pages VALUES (12, 3, 1, NULL, 0, 0, 0, 'consent', 'j8bmNxk2Yvk5aLQTR28d-Ds5UadRZOo1', '{"texts": [], "options": {}}', 2101, 2102, 1, NULL, NULL, NULL);
INSERT INTO pages VALUES (13, 4, 1, NULL, 0, 0, 0, 'consent', 'YUxb6NSi9s6_oiDIbldQ8eIHdNJ7uHE0', '{"texts": [], "options": {}}', 2205, 2210, 5, NULL, NULL, NULL);
INSERT INTO pages VALUES (14, 4, 1, 7, 1, 1, 0, 'block', 'LJUVdW3EBbCXTU37bdPg3fLQBC7ENwfa', '{"texts": ["plain"], "options": {"q1": ["C", "A", "B", "UA"]}}', 2215, 2220, 5, NULL, NULL, NULL);
INSERT INTO pages VALUES (15, 4, 1, NULL, 2, 1, -1, 'attention', 'oVdibKysW_fOVwNAassaa4cTFpFzPOjv', '{"texts": [], "options": {"see": ["B", "A"]}}', 2225, 2230, 5, NULL, NULL, NULL);
INSERT INTO pages VALUES (16, 4, 1, 8, 3, 1, 1, 'block', '730vWHy5CpLSD2TbXrVg-CLTEtMjUo1a', '{"texts": ["hard"], "options": {"q1": ["A", "C", "B", "UA"]}}', 2235, 2240, 5, NULL, NULL, NULL);
INSERT INTO pages VALUES (17, 4, 1, 9, 4, 1, 2, 'block', 'JW9tfI1DA7XMdhH_kGyhgMsF8VvYQ-ac', '{"texts": ["odd"], "options": {"q1": ["C", "B", "A", "UA"]}}', 2245, 2250, 5, NULL, NULL, NULL);
INSERT INTO pages VALUES (18, 4, 1, NULL, 5, 2, 0, 'survey', '3Xy9pEkGNJQq86IFLwX_dFGS8wPd-lbF', '{"texts": [], "options": {}}', 2255, 2260, 5, NULL, NULL, NULL);
INSERT INTO pages VALUES (19, 4, 1, NULL, 6, 3, 0, 'survey', 'dwiaci1YU-uwIVdM0gdv4hD2ai3jjMZY', '{"texts": [], "options": {}}', 2265, 2270, 5, NULL, NULL, NULL);
INSERT INTO participants VALUES (4, 'pilot', 'a6691d8f4c69e61ef49576332ee0451c', 'aTsvhlraHN3xqyBIcird611VTnkZizTE', 4, 'complete', 'rejected', '', 2200, 2275, 2275);
INSERT INTO participants VALUES (1, 'pilot', '26917c6b9bddccf5b55de2a95c9cc1e1', 'lb4TujoYjG-qTKBdpvJU_d1T_GEK22JD', 4, 'complete', 'accepted', 'r1', 1001, 1041, 1041);
INSERT INTO participants VALUES (2, 'pilot', '120633a27bfe8081acfd58f46d2f368b', 'uPPxFU6vh0biLvvYGuyJRe78dKXeH8Io', 1, '', '', '', 2000, 2035, NULL);
INSERT INTO participants VALUES (3, 'pilot', 'c040f53ac5a04e3226424ff2d0b3eaed', 'IDcetQE0mcTmfHS4N4SFRYoLN7ZuhHbm', 0, 'no_consent', '', '', 2100, 2102, 2102);
INSERT INTO resubmissions VALUES (1, 1, 2, '{"q1": "C"}', 1015.8);
INSERT INTO revisions VALUES (1, 'pilot', '4eabf54f0a1a8d78123413d61446fd0e1bf5e89ebc4b4e503a2fe6ac1b22c010', 1000);
INSERT INTO settings VALUES ('allocation', '');
SELECT pg_catalog.setval('answers_id_seq', 18, true);
SELECT pg_catalog.setval('assignments_id_seq', 9, true);
SELECT pg_catalog.setval('audit_id_seq', 5, true);
SELECT pg_catalog.setval('cells_id_seq', 18, true);
SELECT pg_catalog.setval('imports_id_seq', 1, false);
SELECT pg_catalog.setval('pages_id_seq', 19, true);
SELECT pg_catalog.setval('participants_id_seq', 4, true);
SELECT pg_catalog.setval('resubmissions_id_seq', 1, true);
SELECT pg_catalog.setval('revisions_id_seq', 1, true);
ALTER TABLE ONLY alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY answers
    ADD CONSTRAINT pk_answers PRIMARY KEY (id);
ALTER TABLE ONLY assignments
    ADD CONSTRAINT pk_assignments PRIMARY KEY (id);
ALTER TABLE ONLY audit
    ADD CONSTRAINT pk_audit PRIMARY KEY (id);
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
