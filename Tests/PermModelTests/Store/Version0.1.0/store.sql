CREATE TABLE decisions (
  label TEXT NOT NULL, program TEXT NOT NULL, capability TEXT NOT NULL, atom TEXT NOT NULL,
  verdict TEXT NOT NULL, lifetime TEXT NOT NULL, origin TEXT NOT NULL, note TEXT,
  decided_at INTEGER NOT NULL, last_used INTEGER,
  -- Taken from the lifetime, to find what is over without reading what is not.
  ends_at INTEGER, ends_boot TEXT, ends_boot_time INTEGER,
  PRIMARY KEY (label, program, capability, atom)
) STRICT, WITHOUT ROWID;
INSERT INTO decisions VALUES('backup','','photos','read','allow','until 1795401189465370 90193530877 aefc5327-57a4-45ca-bafc-b120d637ea6c','command-line alone',NULL,1795397589465370,NULL,1795401189465370,'aefc5327-57a4-45ca-bafc-b120d637ea6c',90193530877);
INSERT INTO decisions VALUES('boxed','/home/ana/bin/sync.sh	16621717:1795396141299612514	sandboxed','deploy','use','allow','forever','command-line',NULL,1795397605347249,NULL,NULL,NULL,NULL);
INSERT INTO decisions VALUES('env','/usr/bin/env	254034:0	','calendar','events','allow','forever','command-line alone',NULL,1795397589971222,NULL,NULL,NULL,NULL);
INSERT INTO decisions VALUES('env','/usr/bin/env	254034:0	','calendar','reminders','allow','forever','command-line alone',NULL,1795397589971222,NULL,NULL,NULL,NULL);
INSERT INTO decisions VALUES('my tool','','cloud','read@*','allow','forever','command-line alone',NULL,1795397589612904,NULL,NULL,NULL,NULL);
INSERT INTO decisions VALUES('my tool','','cloud','read@nas','deny','forever','command-line alone',NULL,1795397589540619,NULL,NULL,NULL,NULL);
INSERT INTO decisions VALUES('sync-1','/home/ana/bin/sync.sh	16621717:1795396141299612514	','deploy','use','allow','forever','command-line',NULL,1795397604946594,1795397610977858,NULL,NULL,NULL);
INSERT INTO decisions VALUES('sync-2','/home/ana/bin/sync.sh	16621717:1795396141299612514	','deploy','use','deny','until 1795426405095412 115409160919 aefc5327-57a4-45ca-bafc-b120d637ea6c','command-line',NULL,1795397605095412,1795397612974148,1795426405095412,'aefc5327-57a4-45ca-bafc-b120d637ea6c',115409160919);
INSERT INTO decisions VALUES('walker','','deploy','use','deny','until 1893456000000000 98145004065507 aefc5327-57a4-45ca-bafc-b120d637ea6c','command-line',NULL,1795397615653110,NULL,1893456000000000,'aefc5327-57a4-45ca-bafc-b120d637ea6c',98145004065507);
INSERT INTO decisions VALUES('walker','','health','share=steps','deny','forever','command-line alone',NULL,1795397590301335,NULL,NULL,NULL,NULL);
CREATE TABLE capabilities (
  name TEXT NOT NULL PRIMARY KEY, allowed INTEGER NOT NULL DEFAULT 0,
  denied INTEGER NOT NULL DEFAULT 0, asked_at INTEGER
) STRICT, WITHOUT ROWID;
INSERT INTO capabilities VALUES('calendar',1,0,NULL);
INSERT INTO capabilities VALUES('cloud',1,1,NULL);
INSERT INTO capabilities VALUES('contacts',0,0,NULL);
INSERT INTO capabilities VALUES('deploy',2,2,1795397596320376);
INSERT INTO capabilities VALUES('health',0,1,NULL);
INSERT INTO capabilities VALUES('photos',1,0,NULL);
CREATE TABLE requests (
  id TEXT NOT NULL PRIMARY KEY, label TEXT NOT NULL, path TEXT, asked_at INTEGER NOT NULL,
  set_aside_at INTEGER, pid INTEGER NOT NULL, start_time TEXT NOT NULL, body TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO requests VALUES('7a8e2637bd220dee7d1034f046be18fb','sync-4','/home/ana/bin/sync.sh',1795397596277368,NULL,5046,'8659972','{"capability":"deploy","subject":{"file":{"birth":1795396141299612514,"inode":16621717},"label":"sync-4","path":"\/home\/ana\/bin\/sync.sh","isSandboxed":false},"givesUpAt":{"microseconds":1795400596273368},"reason":"release for sync-4","atoms":[{"capability":"deploy","name":"use"}],"askedAt":{"microseconds":1795397596277368},"id":{"text":"7a8e2637bd220dee7d1034f046be18fb"},"evidence":{"interpreter":"dash","workingDirectory":"\/home\/ana","program":"\/home\/ana\/bin\/sync.sh","chain":["sync.sh"],"process":{"startTime":8659972,"pid":5046},"isSandboxed":false}}');
CREATE TABLE journal (
  id INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, origin TEXT, label TEXT,
  program TEXT, capability TEXT, atoms TEXT NOT NULL, request TEXT, verdict TEXT, text TEXT,
  count INTEGER NOT NULL, last_at INTEGER, change INTEGER, before TEXT, after TEXT
) STRICT;
INSERT INTO journal VALUES(1,1795397589465370,'decided','command-line alone','backup','','photos','read',NULL,'allow',NULL,1,NULL,1,NULL,'allow	until 1795401189465370 90193530877 aefc5327-57a4-45ca-bafc-b120d637ea6c	command-line alone	1795397589465370	');
INSERT INTO journal VALUES(2,1795397589540619,'decided','command-line alone','my tool','','cloud','read@nas',NULL,'deny',NULL,1,NULL,2,NULL,'deny	forever	command-line alone	1795397589540619	');
INSERT INTO journal VALUES(3,1795397589612904,'decided','command-line alone','my tool','','cloud','read@*',NULL,'allow',NULL,1,NULL,3,NULL,'allow	forever	command-line alone	1795397589612904	');
INSERT INTO journal VALUES(4,1795397589971222,'decided','command-line alone','env','/usr/bin/env	254034:0	','calendar','events',NULL,'allow',NULL,1,NULL,4,NULL,'allow	forever	command-line alone	1795397589971222	');
INSERT INTO journal VALUES(5,1795397589971222,'decided','command-line alone','env','/usr/bin/env	254034:0	','calendar','reminders',NULL,'allow',NULL,1,NULL,4,NULL,'allow	forever	command-line alone	1795397589971222	');
INSERT INTO journal VALUES(6,1795397590301335,'decided','command-line alone','walker','','health','share=steps',NULL,'deny',NULL,1,NULL,6,NULL,'deny	forever	command-line alone	1795397590301335	');
INSERT INTO journal VALUES(7,1795397590686001,'decided','command-line alone','gone','','contacts','read',NULL,'allow',NULL,1,NULL,7,NULL,'allow	forever	command-line alone	1795397590686001	');
INSERT INTO journal VALUES(8,1795397591038935,'undone','command-line alone','gone','','contacts','read',NULL,NULL,NULL,1,NULL,7,'allow	forever	command-line alone	1795397590686001	',NULL);
INSERT INTO journal VALUES(9,1795397591247537,'decided','command-line alone','forgotten','','contacts','read',NULL,'allow',NULL,1,NULL,9,NULL,'allow	forever	command-line alone	1795397591247537	');
INSERT INTO journal VALUES(10,1795397591465894,'forgotten','command-line alone','forgotten','','contacts','read',NULL,NULL,NULL,1,NULL,10,'allow	forever	command-line alone	1795397591247537	',NULL);
INSERT INTO journal VALUES(11,1795397596249621,'asked',NULL,'sync-1','/home/ana/bin/sync.sh	16621717:1795396141299612514	','deploy','use','211e4f9c07b7ec6db68a674a46bc198c',NULL,'release for sync-1',1,NULL,NULL,NULL,NULL);
INSERT INTO journal VALUES(12,1795397596273490,'asked',NULL,'sync-3','/home/ana/bin/sync.sh	16621717:1795396141299612514	','deploy','use','39d49e3ac3f56484d9b78cfb24a99c25',NULL,'release for sync-3',1,NULL,NULL,NULL,NULL);
INSERT INTO journal VALUES(13,1795397596277624,'asked',NULL,'sync-4','/home/ana/bin/sync.sh	16621717:1795396141299612514	','deploy','use','7a8e2637bd220dee7d1034f046be18fb',NULL,'release for sync-4',1,NULL,NULL,NULL,NULL);
INSERT INTO journal VALUES(14,1795397596280315,'asked',NULL,'sync-2','/home/ana/bin/sync.sh	16621717:1795396141299612514	','deploy','use','83315fcc3068eafed9453d6acca0859c',NULL,'release for sync-2',1,NULL,NULL,NULL,NULL);
INSERT INTO journal VALUES(15,1795397596320774,'asked',NULL,'boxed','/home/ana/bin/sync.sh	16621717:1795396141299612514	sandboxed','deploy','use','28691f99c1396ec7387b6f763a119e52',NULL,'release for boxed',1,NULL,NULL,NULL,NULL);
INSERT INTO journal VALUES(16,1795397604946594,'answered','command-line','sync-1','/home/ana/bin/sync.sh	16621717:1795396141299612514	','deploy','use','211e4f9c07b7ec6db68a674a46bc198c','allow',NULL,1,NULL,NULL,NULL,NULL);
INSERT INTO journal VALUES(17,1795397604946594,'decided','command-line','sync-1','/home/ana/bin/sync.sh	16621717:1795396141299612514	','deploy','use',NULL,'allow',NULL,1,NULL,17,NULL,'allow	forever	command-line	1795397604946594	');
INSERT INTO journal VALUES(18,1795397605095412,'answered','command-line','sync-2','/home/ana/bin/sync.sh	16621717:1795396141299612514	','deploy','use','83315fcc3068eafed9453d6acca0859c','deny',NULL,1,NULL,NULL,NULL,NULL);
INSERT INTO journal VALUES(19,1795397605095412,'decided','command-line','sync-2','/home/ana/bin/sync.sh	16621717:1795396141299612514	','deploy','use',NULL,'deny',NULL,1,NULL,19,NULL,'deny	until 1795426405095412 115409160919 aefc5327-57a4-45ca-bafc-b120d637ea6c	command-line	1795397605095412	');
INSERT INTO journal VALUES(20,1795397605241554,'answered','command-line','sync-3','/home/ana/bin/sync.sh	16621717:1795396141299612514	','deploy','use','39d49e3ac3f56484d9b78cfb24a99c25','allow',NULL,1,NULL,NULL,NULL,NULL);
INSERT INTO journal VALUES(21,1795397605347249,'answered','command-line','boxed','/home/ana/bin/sync.sh	16621717:1795396141299612514	sandboxed','deploy','use','28691f99c1396ec7387b6f763a119e52','allow',NULL,1,NULL,NULL,NULL,NULL);
INSERT INTO journal VALUES(22,1795397605347249,'decided','command-line','boxed','/home/ana/bin/sync.sh	16621717:1795396141299612514	sandboxed','deploy','use',NULL,'allow',NULL,1,NULL,22,NULL,'allow	forever	command-line	1795397605347249	');
INSERT INTO journal VALUES(23,1795397606969502,'automatic',NULL,'sync-1','/home/ana/bin/sync.sh	16621717:1795396141299612514	','deploy','use',NULL,'allow','decided before',3,1795397610977858,NULL,NULL,NULL);
INSERT INTO journal VALUES(24,1795397612974148,'automatic',NULL,'sync-2','/home/ana/bin/sync.sh	16621717:1795396141299612514	','deploy','use',NULL,'deny','decided before',1,NULL,NULL,NULL,NULL);
INSERT INTO journal VALUES(25,1795397615653110,'decided','command-line','walker','','deploy','use',NULL,'deny',NULL,1,NULL,25,NULL,'deny	until 1893456000000000 98145004065507 aefc5327-57a4-45ca-bafc-b120d637ea6c	command-line	1795397615653110	');
CREATE TABLE suspension (since INTEGER NOT NULL, origin TEXT NOT NULL) STRICT;
CREATE INDEX decisions_by_capability ON decisions (capability, verdict, label, program, atom);
CREATE INDEX decisions_ending ON decisions (ends_at) WHERE ends_at IS NOT NULL;
CREATE INDEX decisions_ending_in_boot ON decisions (ends_boot, ends_boot_time)
  WHERE ends_boot IS NOT NULL;
CREATE INDEX decisions_bound ON decisions (lifetime) WHERE ends_at IS NULL AND lifetime <> 'forever';
CREATE TRIGGER decision_added AFTER INSERT ON decisions
WHEN NOT EXISTS (SELECT 1 FROM decisions other WHERE other.label = NEW.label AND other.program = NEW.program
AND other.capability = NEW.capability AND other.atom <> NEW.atom
AND other.verdict = NEW.verdict)
BEGIN INSERT INTO capabilities (name) SELECT NEW.capability
  WHERE NOT EXISTS (SELECT 1 FROM capabilities WHERE name = NEW.capability);
UPDATE capabilities SET allowed = allowed + (NEW.verdict = 'allow'),
  denied = denied + (NEW.verdict = 'deny') WHERE name = NEW.capability; END;
CREATE TRIGGER decision_removed AFTER DELETE ON decisions
WHEN NOT EXISTS (SELECT 1 FROM decisions other WHERE other.label = OLD.label AND other.program = OLD.program
AND other.capability = OLD.capability AND other.atom <> OLD.atom
AND other.verdict = OLD.verdict)
BEGIN INSERT INTO capabilities (name) SELECT OLD.capability
  WHERE NOT EXISTS (SELECT 1 FROM capabilities WHERE name = OLD.capability);
UPDATE capabilities SET allowed = allowed - (OLD.verdict = 'allow'),
  denied = denied - (OLD.verdict = 'deny') WHERE name = OLD.capability; END;
CREATE TRIGGER verdict_left AFTER UPDATE OF verdict ON decisions
WHEN OLD.verdict <> NEW.verdict AND NOT EXISTS (SELECT 1 FROM decisions other WHERE other.label = OLD.label AND other.program = OLD.program
AND other.capability = OLD.capability AND other.atom <> OLD.atom
AND other.verdict = OLD.verdict)
BEGIN INSERT INTO capabilities (name) SELECT OLD.capability
  WHERE NOT EXISTS (SELECT 1 FROM capabilities WHERE name = OLD.capability);
UPDATE capabilities SET allowed = allowed - (OLD.verdict = 'allow'),
  denied = denied - (OLD.verdict = 'deny') WHERE name = OLD.capability; END;
CREATE TRIGGER verdict_taken AFTER UPDATE OF verdict ON decisions
WHEN OLD.verdict <> NEW.verdict AND NOT EXISTS (SELECT 1 FROM decisions other WHERE other.label = NEW.label AND other.program = NEW.program
AND other.capability = NEW.capability AND other.atom <> NEW.atom
AND other.verdict = NEW.verdict)
BEGIN INSERT INTO capabilities (name) SELECT NEW.capability
  WHERE NOT EXISTS (SELECT 1 FROM capabilities WHERE name = NEW.capability);
UPDATE capabilities SET allowed = allowed + (NEW.verdict = 'allow'),
  denied = denied + (NEW.verdict = 'deny') WHERE name = NEW.capability; END;
CREATE INDEX journal_by_program ON journal (label, capability);
CREATE INDEX journal_by_capability ON journal (capability);
CREATE INDEX journal_by_time ON journal (at);
CREATE INDEX journal_by_change ON journal (change) WHERE change IS NOT NULL;
CREATE INDEX journal_by_request ON journal (request) WHERE request IS NOT NULL;
PRAGMA application_id = 1348825709;
PRAGMA user_version = 2;
