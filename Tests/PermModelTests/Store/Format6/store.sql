CREATE TABLE capabilities (
  name TEXT NOT NULL PRIMARY KEY, allowed INTEGER NOT NULL DEFAULT 0,
  denied INTEGER NOT NULL DEFAULT 0, asked_at INTEGER
) STRICT, WITHOUT ROWID;
INSERT INTO "capabilities" VALUES('calendar',1,0,NULL);
INSERT INTO "capabilities" VALUES('files',1,2,NULL);
INSERT INTO "capabilities" VALUES('health',1,0,NULL);
INSERT INTO "capabilities" VALUES('network',1,0,NULL);
INSERT INTO "capabilities" VALUES('photos',0,1,NULL);
CREATE TABLE "decisions" (
  label TEXT NOT NULL, program TEXT NOT NULL, capability TEXT NOT NULL, scope BLOB NOT NULL,
  atom TEXT NOT NULL, verdict TEXT NOT NULL, lifetime TEXT NOT NULL, origin TEXT NOT NULL, note TEXT,
  decided_at INTEGER NOT NULL, last_used INTEGER,
  -- Taken from the lifetime, to find what is over without reading what is not.
  ends_at INTEGER, ends_boot TEXT, ends_boot_time INTEGER,
  PRIMARY KEY (label, program, capability, scope, atom)
) STRICT, WITHOUT ROWID;
INSERT INTO "decisions" VALUES('backup','','calendar',x'','events','allow','forever','command-line alone',NULL,1795468201644329,NULL,NULL,NULL,NULL);
INSERT INTO "decisions" VALUES('backup','','photos',x'','read','deny','forever','command-line alone',NULL,1795468201596574,NULL,NULL,NULL,NULL);
INSERT INTO "decisions" VALUES('builder','','network',x'68636F6D2E6769746875622E61706900343433','connect','allow','forever','command-line alone',NULL,1795468201914233,NULL,NULL,NULL,NULL);
INSERT INTO "decisions" VALUES('claude','		in 65024 253853 /tmp	','files',x'702F686F6D652F616E612F7372632F6170702F','read','allow','forever','command-line alone',NULL,1795468201782895,NULL,NULL,NULL,NULL);
INSERT INTO "decisions" VALUES('claude','		in 65024 253853 /tmp	','files',x'702F686F6D652F616E612F7372632F6170702F73656372657400','read','deny','forever','command-line alone',NULL,1795468201825391,NULL,NULL,NULL,NULL);
INSERT INTO "decisions" VALUES('everyone','*		','files',x'702F686F6D652F616E612F2E7373682F','read','deny','forever','command-line alone',NULL,1795468201867329,NULL,NULL,NULL,NULL);
INSERT INTO "decisions" VALUES('walker','','health',x'','read=heart','allow','forever','command-line alone',NULL,1795468201735823,NULL,NULL,NULL,NULL);
INSERT INTO "decisions" VALUES('walker','','health',x'','share=steps','allow','until 1795471801689479 17538645270 dbc1d8eb-f8fc-4914-b0ec-586ae35f7ea2','command-line alone',NULL,1795468201689479,NULL,1795471801689479,'dbc1d8eb-f8fc-4914-b0ec-586ae35f7ea2',17538645270);
CREATE TABLE journal (
  id INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, origin TEXT, label TEXT,
  program TEXT, capability TEXT, atoms TEXT NOT NULL, request TEXT, verdict TEXT, text TEXT,
  count INTEGER NOT NULL, last_at INTEGER, change INTEGER, before TEXT, after TEXT
, details TEXT, line INTEGER) STRICT;
INSERT INTO "journal" VALUES(1,1795468201555600,'decided','command-line alone','backup','','photos','read',NULL,'allow',NULL,1,NULL,1,NULL,'allow	forever	command-line alone	1795468201555600	',NULL,NULL);
INSERT INTO "journal" VALUES(2,1795468201596574,'decided','command-line alone','backup','','photos','read',NULL,'deny',NULL,1,NULL,2,'allow	forever	command-line alone	1795468201555600	','deny	forever	command-line alone	1795468201596574	',NULL,NULL);
INSERT INTO "journal" VALUES(3,1795468201644329,'decided','command-line alone','backup','','calendar','events',NULL,'allow',NULL,1,NULL,3,NULL,'allow	forever	command-line alone	1795468201644329	',NULL,NULL);
INSERT INTO "journal" VALUES(4,1795468201689479,'decided','command-line alone','walker','','health','share=steps',NULL,'allow',NULL,1,NULL,4,NULL,'allow	until 1795471801689479 17538645270 dbc1d8eb-f8fc-4914-b0ec-586ae35f7ea2	command-line alone	1795468201689479	',NULL,NULL);
INSERT INTO "journal" VALUES(5,1795468201735823,'decided','command-line alone','walker','','health','read=heart',NULL,'allow',NULL,1,NULL,5,NULL,'allow	forever	command-line alone	1795468201735823	',NULL,NULL);
INSERT INTO "journal" VALUES(6,1795468201782895,'decided','command-line alone','claude','		in 65024 253853 /tmp	','files','read	p/home/ana/src/app/',NULL,'allow',NULL,1,NULL,6,NULL,'allow	forever	command-line alone	1795468201782895	',NULL,NULL);
INSERT INTO "journal" VALUES(7,1795468201825391,'decided','command-line alone','claude','		in 65024 253853 /tmp	','files','read	p/home/ana/src/app/secret\u{0}',NULL,'deny',NULL,1,NULL,7,NULL,'deny	forever	command-line alone	1795468201825391	',NULL,NULL);
INSERT INTO "journal" VALUES(8,1795468201867329,'decided','command-line alone','everyone','*		','files','read	p/home/ana/.ssh/',NULL,'deny',NULL,1,NULL,8,NULL,'deny	forever	command-line alone	1795468201867329	',NULL,NULL);
INSERT INTO "journal" VALUES(9,1795468201914233,'decided','command-line alone','builder','','network','connect	hcom.github.api\u{0}443',NULL,'allow',NULL,1,NULL,9,NULL,'allow	forever	command-line alone	1795468201914233	',NULL,NULL);
INSERT INTO "journal" VALUES(10,1795468201956728,'decided','command-line alone','builder','','network','connect	horg.example\u{0}443',NULL,'deny',NULL,1,NULL,10,NULL,'deny	forever	command-line alone	1795468201956728	',NULL,NULL);
INSERT INTO "journal" VALUES(11,1795468201994178,'undone','command-line alone','builder','','network','connect	horg.example\u{0}443',NULL,NULL,NULL,1,NULL,10,'deny	forever	command-line alone	1795468201956728	',NULL,NULL,NULL);
INSERT INTO "journal" VALUES(12,1795468202069075,'forgotten','command-line alone','backup','','calendar','events',NULL,NULL,NULL,1,NULL,12,'allow	forever	command-line alone	1795468201644329	',NULL,NULL,NULL);
INSERT INTO "journal" VALUES(13,1795468202104789,'undone','command-line alone','backup','','calendar','events',NULL,'allow',NULL,1,NULL,12,NULL,'allow	forever	command-line alone	1795468201644329	',NULL,NULL);
CREATE TABLE requests (
  id TEXT NOT NULL PRIMARY KEY, label TEXT NOT NULL, path TEXT, asked_at INTEGER NOT NULL,
  set_aside_at INTEGER, pid INTEGER NOT NULL, start_time TEXT NOT NULL, body TEXT NOT NULL
, terminal TEXT) STRICT, WITHOUT ROWID;
CREATE TABLE suspension (since INTEGER NOT NULL, origin TEXT NOT NULL) STRICT;
CREATE INDEX journal_by_program ON journal (label, capability);
CREATE INDEX journal_by_capability ON journal (capability);
CREATE INDEX journal_by_time ON journal (at);
CREATE INDEX journal_by_change ON journal (change) WHERE change IS NOT NULL;
CREATE INDEX journal_by_request ON journal (request) WHERE request IS NOT NULL;
CREATE INDEX decisions_by_capability ON decisions (capability, verdict, label, program, scope, atom);
CREATE INDEX decisions_by_verdict ON decisions (label, program, capability, verdict, scope);
CREATE INDEX decisions_ending ON decisions (ends_at) WHERE ends_at IS NOT NULL;
CREATE INDEX decisions_ending_in_boot ON decisions (ends_boot, ends_boot_time)
  WHERE ends_boot IS NOT NULL;
CREATE INDEX decisions_bound ON decisions (lifetime) WHERE ends_at IS NULL AND lifetime <> 'forever';
CREATE INDEX decisions_in_sandboxes ON decisions (program) WHERE program <> '' AND substr(program, -1) <> char(9);
CREATE TRIGGER decision_added AFTER INSERT ON decisions
WHEN NOT EXISTS (SELECT 1 FROM decisions other WHERE other.label = NEW.label AND other.program = NEW.program
AND other.capability = NEW.capability AND (other.atom, other.scope) <> (NEW.atom, NEW.scope) AND other.verdict = NEW.verdict)
BEGIN INSERT INTO capabilities (name) SELECT NEW.capability
  WHERE NOT EXISTS (SELECT 1 FROM capabilities WHERE name = NEW.capability);
UPDATE capabilities SET allowed = allowed + (NEW.verdict = 'allow'),
  denied = denied + (NEW.verdict = 'deny') WHERE name = NEW.capability; END;
CREATE TRIGGER decision_removed AFTER DELETE ON decisions
WHEN NOT EXISTS (SELECT 1 FROM decisions other WHERE other.label = OLD.label AND other.program = OLD.program
AND other.capability = OLD.capability AND (other.atom, other.scope) <> (OLD.atom, OLD.scope) AND other.verdict = OLD.verdict)
BEGIN INSERT INTO capabilities (name) SELECT OLD.capability
  WHERE NOT EXISTS (SELECT 1 FROM capabilities WHERE name = OLD.capability);
UPDATE capabilities SET allowed = allowed - (OLD.verdict = 'allow'),
  denied = denied - (OLD.verdict = 'deny') WHERE name = OLD.capability; END;
CREATE TRIGGER verdict_left AFTER UPDATE OF verdict ON decisions
WHEN OLD.verdict <> NEW.verdict AND NOT EXISTS (SELECT 1 FROM decisions other WHERE other.label = OLD.label AND other.program = OLD.program
AND other.capability = OLD.capability AND (other.atom, other.scope) <> (OLD.atom, OLD.scope) AND other.verdict = OLD.verdict)
BEGIN INSERT INTO capabilities (name) SELECT OLD.capability
  WHERE NOT EXISTS (SELECT 1 FROM capabilities WHERE name = OLD.capability);
UPDATE capabilities SET allowed = allowed - (OLD.verdict = 'allow'),
  denied = denied - (OLD.verdict = 'deny') WHERE name = OLD.capability; END;
CREATE TRIGGER verdict_taken AFTER UPDATE OF verdict ON decisions
WHEN OLD.verdict <> NEW.verdict AND NOT EXISTS (SELECT 1 FROM decisions other WHERE other.label = NEW.label AND other.program = NEW.program
AND other.capability = NEW.capability AND (other.atom, other.scope) <> (NEW.atom, NEW.scope) AND other.verdict = NEW.verdict)
BEGIN INSERT INTO capabilities (name) SELECT NEW.capability
  WHERE NOT EXISTS (SELECT 1 FROM capabilities WHERE name = NEW.capability);
UPDATE capabilities SET allowed = allowed + (NEW.verdict = 'allow'),
  denied = denied + (NEW.verdict = 'deny') WHERE name = NEW.capability; END;
CREATE INDEX journal_by_line ON journal (line, at) WHERE line IS NOT NULL;
PRAGMA user_version = 6;
PRAGMA application_id = 1348825709;
