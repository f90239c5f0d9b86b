/** Every setting of git that names a program, and every hook. */

export const HOOKS = [
  'applypatch-msg',
  'commit-msg',
  'fsmonitor-watchman',
  'post-applypatch',
  'post-checkout',
  'post-commit',
  'post-index-change',
  'post-merge',
  'post-receive',
  'post-rewrite',
  'post-update',
  'pre-applypatch',
  'pre-auto-gc',
  'pre-commit',
  'pre-merge-commit',
  'pre-push',
  'pre-rebase',
  'pre-receive',
  'prepare-commit-msg',
  'proc-receive',
  'push-to-checkout',
  'reference-transaction',
  'sendemail-validate',
  'update',
] as const;

/** By name: section and line; `RUN` stands for the program. */
export const SETTINGS: Readonly<Record<string, readonly [section: string, ...lines: string[]]>> = {
  fsmonitor: ['core', 'fsmonitor = RUN'],
  sshCommand: ['core', 'sshCommand = RUN'],
  pager: ['core', 'pager = RUN'],
  'pager-diff': ['pager', 'diff = RUN', 'diff-tree = RUN', 'status = RUN'],
  editor: ['core', 'editor = RUN'],
  askPass: ['core', 'askPass = RUN'],
  gitProxy: ['core', 'gitProxy = RUN'],
  alternateRefs: ['core', 'alternateRefsCommand = RUN'],
  clean: ['filter "any"', 'clean = RUN', 'required = true'],
  smudge: ['filter "any"', 'smudge = RUN'],
  process: ['filter "slow"', 'process = RUN'],
  'lfs-clean': ['filter "lfs"', 'clean = RUN', 'process = RUN'],
  'diff-external': ['diff', 'external = RUN'],
  textconv: ['diff "any"', 'textconv = RUN', 'cachetextconv = true'],
  'diff-command': ['diff "any"', 'command = RUN'],
  'merge-driver': ['merge "any"', 'driver = RUN %A'],
  'merge-default': ['merge', 'default = any'],
  'gpg-program': ['gpg', 'program = RUN'],
  'gpg-ssh': ['gpg "ssh"', 'program = RUN', 'defaultKeyCommand = RUN'],
  'sign-commits': ['commit', 'gpgSign = true'],
  'sign-tags': ['tag', 'gpgSign = true', 'forceSignAnnotated = true'],
  credential: ['credential', 'helper = RUN'],
  'credential-url': ['credential "https://example.org"', 'helper = !RUN'],
  'sequence-editor': ['sequence', 'editor = RUN'],
  'pack-objects-hook': ['uploadpack', 'packObjectsHook = RUN'],
  trailer: ['trailer "evil"', 'command = RUN', 'cmd = RUN'],
  'diff-filter': ['interactive', 'diffFilter = RUN'],
  'insteadOf ext': ['url "ext::RUN "', 'insteadOf = /', 'pushInsteadOf = /'],
  'remote programs': ['remote "origin"', 'url = /nowhere', 'uploadpack = RUN', 'receivepack = RUN', 'vcs = ext'],
  'protocol ext': ['protocol', 'allow = always'],
  'submodule recurse': ['submodule', 'recurse = true', 'fetchJobs = 2'],
  'submodule update': ['submodule "evil"', 'active = true', 'url = ext::RUN', 'update = !RUN', 'path = nested'],
  'gc auto': ['gc', 'auto = 1', 'autoDetach = false', 'pruneExpire = now', 'recentObjectsHook = RUN'],
  maintenance: ['maintenance', 'auto = true', 'strategy = incremental'],
  'man and browser': ['man "evil"', 'cmd = RUN', 'path = RUN'],
  'merge tool': ['mergetool "evil"', 'cmd = RUN'],
  'bundle uri': ['fetch', 'bundleURI = ext::RUN', 'writeCommitGraph = true'],
  'alias add': ['alias', 'add = !RUN', 'status = !RUN', 'fetch = !RUN'],
  'alias plumbing': ['alias', 'diff-tree = !RUN', 'read-tree = !RUN', 'update-ref = !RUN', 'merge-tree = !RUN'],
  'replace refs': ['core', 'useReplaceRefs = true'],
  'index tricks': ['core', 'splitIndex = true', 'untrackedCache = true'],
  'signed log': ['log', 'showSignature = true'],
  'option-like author': ['user', 'name = --exec=RUN', 'email = -c@core.pager=RUN', 'signingKey = --exec=RUN'],
  'option-like commands': ['status', 'submoduleSummary = true', 'showUntrackedFiles = all'],
};

/** One setting as a piece of a configuration file. */
export function settingText(name: string, program: string): string {
  const [section = '', ...lines] = SETTINGS[name] ?? [];
  return [`[${section}]`, ...lines.map((line) => `\t${line}`), ''].join('\n').replaceAll('RUN', program);
}

/** Names drivers that only a configuration gives a meaning. */
export const ATTRIBUTES = '* filter=any diff=any merge=any\n*.slow filter=slow\n*.big filter=lfs\n*.hide -diff\n';
/** The same without filters: a checkout of it may be moved. */
export const ATTRIBUTES_TO_MERGE = '* diff=any merge=any text=auto ident\n';
