CREATE TABLE capabilities (
  name TEXT NOT NULL PRIMARY KEY, allowed INTEGER NOT NULL DEFAULT 0,
  denied INTEGER NOT NULL DEFAULT 0, asked_at INTEGER
) STRICT, WITHOUT ROWID;
INSERT INTO "capabilities" VALUES('*',0,1,NULL);
INSERT INTO "capabilities" VALUES('calendar',1,0,NULL);
INSERT INTO "capabilities" VALUES('camera',0,0,NULL);
INSERT INTO "capabilities" VALUES('cloud',1,0,NULL);
INSERT INTO "capabilities" VALUES('commands',2,0,NULL);
INSERT INTO "capabilities" VALUES('environment',1,0,NULL);
INSERT INTO "capabilities" VALUES('files',1,2,1795706136194104);
INSERT INTO "capabilities" VALUES('health',1,1,NULL);
INSERT INTO "capabilities" VALUES('microphone',0,0,NULL);
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
INSERT INTO "decisions" VALUES('backup','','calendar',X'','events','allow','forever','command-line alone',NULL,1795706111438969,NULL,NULL,NULL,NULL);
INSERT INTO "decisions" VALUES('backup','','photos',X'','read','deny','forever','command-line alone',NULL,1795706111081192,NULL,NULL,NULL,NULL);
INSERT INTO "decisions" VALUES('builder','','cloud',X'6E6E617300','read','allow','forever','command-line alone',NULL,1795706114300807,NULL,NULL,NULL,NULL);
INSERT INTO "decisions" VALUES('builder','','commands',X'636D616B6500','run','allow','session e2f53c1e34c8c69ddf43385cb3654a96','command-line alone',NULL,1795706113499184,NULL,NULL,NULL,NULL);
INSERT INTO "decisions" VALUES('builder','/home/ana/req.sh	16245291:1795706115590205792	','*',X'','*','deny','until 1795709738341387 7129288467 a3359e56-1504-4219-a5f2-5cf7d9a3fe57','command-line alone',NULL,1795706138341387,NULL,1795709738341387,'a3359e56-1504-4219-a5f2-5cf7d9a3fe57',7129288467);
INSERT INTO "decisions" VALUES('builder','/home/ana/req.sh	16245291:1795706115590205792	','environment',X'6E484F4D4500','read','allow','forever','command-line alone',NULL,1795706113944060,1795706116782587,NULL,NULL,NULL);
INSERT INTO "decisions" VALUES('builder','/home/ana/req.sh	16245291:1795706115590205792	','network',X'68636F6D2E6769746875622E61706900343433','connect','allow','forever','command-line alone',NULL,1795706112239310,1795706116342185,NULL,NULL,NULL);
INSERT INTO "decisions" VALUES('claude','		in 65024 16245207 /home/ana/src/app	','commands',X'666769742073746174757300','run','allow','forever','command-line alone',NULL,1795706113231663,NULL,NULL,NULL,NULL);
INSERT INTO "decisions" VALUES('claude','		in 65024 16245207 /home/ana/src/app	','files',X'702F686F6D652F616E612F7372632F6170702F','read','allow','forever','command-line alone',NULL,1795706112402212,NULL,NULL,NULL,NULL);
INSERT INTO "decisions" VALUES('claude','		in 65024 16245207 /home/ana/src/app	','files',X'702F686F6D652F616E612F7372632F6170702F73656372657400','read','deny','forever','command-line alone',NULL,1795706112661481,NULL,NULL,NULL,NULL);
INSERT INTO "decisions" VALUES('everyone','*		','files',X'702F686F6D652F616E612F2E7373682F','read','deny','forever','command-line alone',NULL,1795706112997218,1795706116618898,NULL,NULL,NULL);
INSERT INTO "decisions" VALUES('walker','','health',X'','read=heart','deny','forever','command-line alone',NULL,1795706112061572,NULL,NULL,NULL,NULL);
INSERT INTO "decisions" VALUES('walker','','health',X'','share=steps','allow','until 1795709711712161 7102659240 a3359e56-1504-4219-a5f2-5cf7d9a3fe57','command-line alone',NULL,1795706111712161,NULL,1795709711712161,'a3359e56-1504-4219-a5f2-5cf7d9a3fe57',7102659240);
CREATE TABLE journal (
  id INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, origin TEXT, label TEXT,
  program TEXT, capability TEXT, atoms TEXT NOT NULL, request TEXT, verdict TEXT, text TEXT,
  count INTEGER NOT NULL, last_at INTEGER, change INTEGER, before TEXT, after TEXT
, details TEXT, line INTEGER) STRICT;
INSERT INTO "journal" VALUES(1,1795706110796057,'decided','command-line alone','backup','','photos','read',NULL,'allow',NULL,1,NULL,1,NULL,'allow	forever	command-line alone	1795706110796057	',NULL,NULL);
INSERT INTO "journal" VALUES(2,1795706111081192,'decided','command-line alone','backup','','photos','read',NULL,'deny',NULL,1,NULL,2,'allow	forever	command-line alone	1795706110796057	','deny	forever	command-line alone	1795706111081192	',NULL,NULL);
INSERT INTO "journal" VALUES(3,1795706111438969,'decided','command-line alone','backup','','calendar','events',NULL,'allow',NULL,1,NULL,3,NULL,'allow	forever	command-line alone	1795706111438969	',NULL,NULL);
INSERT INTO "journal" VALUES(4,1795706111712161,'decided','command-line alone','walker','','health','share=steps',NULL,'allow',NULL,1,NULL,4,NULL,'allow	until 1795709711712161 7102659240 a3359e56-1504-4219-a5f2-5cf7d9a3fe57	command-line alone	1795706111712161	',NULL,NULL);
INSERT INTO "journal" VALUES(5,1795706112061572,'decided','command-line alone','walker','','health','read=heart',NULL,'deny',NULL,1,NULL,5,NULL,'deny	forever	command-line alone	1795706112061572	',NULL,NULL);
INSERT INTO "journal" VALUES(6,1795706112239310,'decided','command-line alone','builder','','network','connect	hcom.github.api\u{0}443',NULL,'allow',NULL,1,NULL,6,NULL,'allow	forever	command-line alone	1795706112239310	',NULL,NULL);
INSERT INTO "journal" VALUES(7,1795706112402212,'decided','command-line alone','claude','		in 65024 16245207 /home/ana/src/app	','files','read	p/home/ana/src/app/',NULL,'allow',NULL,1,NULL,7,NULL,'allow	forever	command-line alone	1795706112402212	',NULL,NULL);
INSERT INTO "journal" VALUES(8,1795706112661481,'decided','command-line alone','claude','		in 65024 16245207 /home/ana/src/app	','files','read	p/home/ana/src/app/secret\u{0}',NULL,'deny',NULL,1,NULL,8,NULL,'deny	forever	command-line alone	1795706112661481	',NULL,NULL);
INSERT INTO "journal" VALUES(9,1795706112997218,'decided','command-line alone','everyone','*		','files','read	p/home/ana/.ssh/',NULL,'deny',NULL,1,NULL,9,NULL,'deny	forever	command-line alone	1795706112997218	',NULL,NULL);
INSERT INTO "journal" VALUES(10,1795706113231663,'decided','command-line alone','claude','		in 65024 16245207 /home/ana/src/app	','commands','run	fgit status\u{0}',NULL,'allow',NULL,1,NULL,10,NULL,'allow	forever	command-line alone	1795706113231663	',NULL,NULL);
INSERT INTO "journal" VALUES(11,1795706113499184,'decided','command-line alone','builder','','commands','run	cmake\u{0}',NULL,'allow',NULL,1,NULL,11,NULL,'allow	session e2f53c1e34c8c69ddf43385cb3654a96	command-line alone	1795706113499184	',NULL,NULL);
INSERT INTO "journal" VALUES(12,1795706113944060,'decided','command-line alone','builder','','environment','read	nHOME\u{0}',NULL,'allow',NULL,1,NULL,12,NULL,'allow	forever	command-line alone	1795706113944060	',NULL,NULL);
INSERT INTO "journal" VALUES(13,1795706114300807,'decided','command-line alone','builder','','cloud','read	nnas\u{0}',NULL,'allow',NULL,1,NULL,13,NULL,'allow	forever	command-line alone	1795706114300807	',NULL,NULL);
INSERT INTO "journal" VALUES(14,1795706114913998,'decided','command-line alone','tmp','','camera','use',NULL,'allow',NULL,1,NULL,14,NULL,'allow	forever	command-line alone	1795706114913998	',NULL,NULL);
INSERT INTO "journal" VALUES(15,1795706115135680,'forgotten','command-line alone','tmp','','camera','use',NULL,NULL,NULL,1,NULL,15,'allow	forever	command-line alone	1795706114913998	',NULL,NULL,NULL);
INSERT INTO "journal" VALUES(16,1795706115283589,'decided','command-line alone','tmp2','','microphone','use',NULL,'allow',NULL,1,NULL,16,NULL,'allow	forever	command-line alone	1795706115283589	',NULL,NULL);
INSERT INTO "journal" VALUES(17,1795706115449809,'undone','command-line alone','tmp2','','microphone','use',NULL,NULL,NULL,1,NULL,16,'allow	forever	command-line alone	1795706115283589	',NULL,NULL,NULL);
INSERT INTO "journal" VALUES(18,1795706115823418,'bound','command-line alone','builder','/home/ana/req.sh	16245291:1795706115590205792	','network','connect	hcom.github.api\u{0}443',NULL,'allow',NULL,1,NULL,NULL,'allow	forever	command-line alone	1795706112239310	','allow	forever	command-line alone	1795706112239310	1795706115823418',NULL,NULL);
INSERT INTO "journal" VALUES(19,1795706115823418,'automatic',NULL,'builder','/home/ana/req.sh	16245291:1795706115590205792	','network','connect	hcom.github.api\u{0}443',NULL,'allow','decided before',3,1795706116342185,NULL,NULL,NULL,NULL,-1514503953964320060);
INSERT INTO "journal" VALUES(20,1795706116618898,'automatic',NULL,'builder','/home/ana/req.sh	16245291:1795706115590205792	','files','read	p/home/ana/.ssh/id\u{0}',NULL,'deny','decided before',1,NULL,NULL,NULL,NULL,NULL,9188258542320776467);
INSERT INTO "journal" VALUES(21,1795706116782587,'bound','command-line alone','builder','/home/ana/req.sh	16245291:1795706115590205792	','environment','read	nHOME\u{0}',NULL,'allow',NULL,1,NULL,NULL,'allow	forever	command-line alone	1795706113944060	','allow	forever	command-line alone	1795706113944060	1795706116782587',NULL,NULL);
INSERT INTO "journal" VALUES(22,1795706116782587,'automatic',NULL,'builder','/home/ana/req.sh	16245291:1795706115590205792	','environment','read	nHOME\u{0}',NULL,'allow','decided before',1,NULL,NULL,NULL,NULL,NULL,-5629909004796858711);
INSERT INTO "journal" VALUES(23,1795706136290018,'asked',NULL,'notes','/home/ana/wait.sh	16245007:1795706136026204835	','files','write	p/home/ana/src/app/notes.txt\u{0}','d03abf7993a8462cde48a8d9773cf28a',NULL,'a note',1,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "journal" VALUES(24,1795706138341387,'decided','command-line alone','builder','/home/ana/req.sh	16245291:1795706115590205792	','*','*',NULL,'deny',NULL,1,NULL,24,NULL,'deny	until 1795709738341387 7129288467 a3359e56-1504-4219-a5f2-5cf7d9a3fe57	command-line alone	1795706138341387	',NULL,NULL);
CREATE TABLE requests (
  id TEXT NOT NULL PRIMARY KEY, label TEXT NOT NULL, path TEXT, asked_at INTEGER NOT NULL,
  set_aside_at INTEGER, pid INTEGER NOT NULL, start_time TEXT NOT NULL, body TEXT NOT NULL
, terminal TEXT) STRICT, WITHOUT ROWID;
INSERT INTO "requests" VALUES('d03abf7993a8462cde48a8d9773cf28a','notes','/home/ana/wait.sh',1795706136194104,NULL,22077,'352697','{"reason":"a note","capability":"files","askedAt":{"microseconds":1795706136194104},"atoms":[{"capability":"files","name":"write","scope":{"path":"\/home\/ana\/src\/app\/notes.txt"}}],"givesUpAt":{"microseconds":1795706196194104},"evidence":{"process":{"pid":22077,"startTime":352697},"workingDirectory":"\/home\/ana","interpreter":"bash","program":"\/home\/ana\/wait.sh","isUnreadable":false,"isSandboxed":false,"chain":["tmux","bash","wait.sh"]},"subject":{"label":"notes","file":{"inode":16245007,"birth":1795706136026204835},"path":"\/home\/ana\/wait.sh"},"facts":{"paths":[],"forms":[],"isElsewhere":false},"id":{"text":"d03abf7993a8462cde48a8d9773cf28a"}}',NULL);
CREATE TABLE suspension (since INTEGER NOT NULL, origin TEXT NOT NULL) STRICT;
CREATE INDEX journal_by_change ON journal (change) WHERE change IS NOT NULL;
CREATE INDEX journal_by_request ON journal (request) WHERE request IS NOT NULL;
CREATE INDEX decisions_by_capability ON decisions (capability, verdict, label, program, scope, atom);
CREATE INDEX decisions_ending ON decisions (ends_at) WHERE ends_at IS NOT NULL;
CREATE INDEX decisions_ending_in_boot ON decisions (ends_boot, ends_boot_time)
  WHERE ends_boot IS NOT NULL;
CREATE INDEX decisions_bound ON decisions (lifetime) WHERE ends_at IS NULL AND lifetime <> 'forever';
CREATE INDEX decisions_in_sandboxes ON decisions (program) WHERE program <> '' AND substr(program, -1) <> char(9);
CREATE INDEX journal_by_line ON journal (line, at) WHERE line IS NOT NULL;
CREATE INDEX journal_by_label ON journal (label, kind, program, verdict);
CREATE INDEX decisions_by_verdict ON decisions (label, program, capability, verdict, scope)
  WHERE scope <> x'';
CREATE TRIGGER decision_added AFTER INSERT ON decisions
WHEN NOT EXISTS (SELECT 1 FROM decisions other WHERE other.label = NEW.label AND other.program = NEW.program AND other.capability = NEW.capability
AND other.verdict = NEW.verdict AND (other.atom, other.scope) <> (NEW.atom, NEW.scope) AND other.scope = x'' UNION ALL
SELECT 1 FROM decisions other INDEXED BY decisions_by_verdict WHERE other.label = NEW.label AND other.program = NEW.program AND other.capability = NEW.capability
AND other.verdict = NEW.verdict AND (other.atom, other.scope) <> (NEW.atom, NEW.scope) AND other.scope <> x'')
BEGIN INSERT INTO capabilities (name, allowed, denied)
  VALUES (NEW.capability, NEW.verdict = 'allow', NEW.verdict = 'deny')
  ON CONFLICT DO UPDATE SET allowed = allowed + excluded.allowed, denied = denied + excluded.denied; END;
CREATE TRIGGER decision_removed AFTER DELETE ON decisions
WHEN NOT EXISTS (SELECT 1 FROM decisions other WHERE other.label = OLD.label AND other.program = OLD.program AND other.capability = OLD.capability
AND other.verdict = OLD.verdict AND (other.atom, other.scope) <> (OLD.atom, OLD.scope) AND other.scope = x'' UNION ALL
SELECT 1 FROM decisions other INDEXED BY decisions_by_verdict WHERE other.label = OLD.label AND other.program = OLD.program AND other.capability = OLD.capability
AND other.verdict = OLD.verdict AND (other.atom, other.scope) <> (OLD.atom, OLD.scope) AND other.scope <> x'')
BEGIN UPDATE capabilities SET allowed = allowed - (OLD.verdict = 'allow'),
  denied = denied - (OLD.verdict = 'deny') WHERE name = OLD.capability; END;
CREATE TRIGGER verdict_left AFTER UPDATE OF verdict ON decisions
WHEN OLD.verdict <> NEW.verdict AND NOT EXISTS (SELECT 1 FROM decisions other WHERE other.label = OLD.label AND other.program = OLD.program AND other.capability = OLD.capability
AND other.verdict = OLD.verdict AND (other.atom, other.scope) <> (OLD.atom, OLD.scope) AND other.scope = x'' UNION ALL
SELECT 1 FROM decisions other INDEXED BY decisions_by_verdict WHERE other.label = OLD.label AND other.program = OLD.program AND other.capability = OLD.capability
AND other.verdict = OLD.verdict AND (other.atom, other.scope) <> (OLD.atom, OLD.scope) AND other.scope <> x'')
BEGIN UPDATE capabilities SET allowed = allowed - (OLD.verdict = 'allow'),
  denied = denied - (OLD.verdict = 'deny') WHERE name = OLD.capability; END;
CREATE TRIGGER verdict_taken AFTER UPDATE OF verdict ON decisions
WHEN OLD.verdict <> NEW.verdict AND NOT EXISTS (SELECT 1 FROM decisions other WHERE other.label = NEW.label AND other.program = NEW.program AND other.capability = NEW.capability
AND other.verdict = NEW.verdict AND (other.atom, other.scope) <> (NEW.atom, NEW.scope) AND other.scope = x'' UNION ALL
SELECT 1 FROM decisions other INDEXED BY decisions_by_verdict WHERE other.label = NEW.label AND other.program = NEW.program AND other.capability = NEW.capability
AND other.verdict = NEW.verdict AND (other.atom, other.scope) <> (NEW.atom, NEW.scope) AND other.scope <> x'')
BEGIN INSERT INTO capabilities (name, allowed, denied)
  VALUES (NEW.capability, NEW.verdict = 'allow', NEW.verdict = 'deny')
  ON CONFLICT DO UPDATE SET allowed = allowed + excluded.allowed, denied = denied + excluded.denied; END;
PRAGMA user_version = 7;
PRAGMA application_id = 1348825709;
