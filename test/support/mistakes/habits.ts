/**
 * Ordinary mistakes of models, each as the script of a worker. If a request does not state what the worker needs, the script spends a
 * reply to find it out, and names what was lacking.
 */
import { bash, report, write } from '../demo/briefs.ts';
import type { Change, Package } from './packages.ts';
import type { Call, Reply, Request, Script } from './player.ts';

export interface Task {
  readonly of: Package;
  readonly change: Change;
  /** What the features before it changed. */
  readonly accepted: readonly Change[];
}

export type Habit = (task: Task, first: Request) => Script;

/** All test files in one process: a process for each doubles the processes of a job. */
export const VERIFY = 'node --test --test-isolation=none';
const act = (...calls: readonly Call[]): Reply => ({ calls });
const findOut = (lacking: string, ...calls: readonly Call[]): Reply => ({ calls, lacking });
const read = (file_path: string, part: { offset?: number; limit?: number } = {}): Call => ({
  tool: 'read',
  input: { file_path, ...part },
});
const grep = (pattern: string, path: string): Call => ({ tool: 'grep', input: { pattern, path } });
const edit = (file_path: string, old_string: string, new_string: string): Call => ({
  tool: 'edit',
  input: { file_path, old_string, new_string },
});
const done = report('done');
const writesTest = ({ test }: Change): Call => write(test.file, test.content);
const edits = ({ file, edits: list }: Change): Call[] => list.map(({ at, becomes }) => edit(file, at, becomes));
const hasFailed = ({ news }: Request): boolean => /exit code [1-9]/.test(news);

/** The work itself, its test, a run of all tests, the report. */
function* completes(change: Change): Script {
  yield act(...edits(change), writesTest(change));
  yield act(bash(VERIFY));
  yield act(done);
}

/** In a conversation that knows nothing of the last attempt. */
function* startsAgain({ change }: Task, first: Request): Generator<Reply, Request, Request> {
  if (!first.all.includes('What the tree holds beyond that commit'))
    yield findOut('what the last attempt left in the tree', bash('git status --short; git diff; git stash list'));
  return yield act(read(change.file), read(change.test.file));
}

/** Writes tabs where the file has spaces, and the other way round. */
export const wrongSpaces: Habit = function* ({ change }) {
  yield act(read(change.file));
  const [wrong] = change.edits;
  if (wrong === undefined) throw new Error('nothing to edit');
  const swapped = (text: string) =>
    text.replaceAll(/^[ \t]+/gm, (space) => (space.includes('\t') ? '  ' : '\t').repeat(2));
  const answer = yield act(edit(change.file, swapped(wrong.at), swapped(wrong.becomes)));
  const place = wrong.at.split('\n')[0] ?? '';
  if (!answer.news.includes(place)) yield findOut('the text at the place of the edit', read(change.file));
  yield* completes(change);
};

/** Expects what is wrong, and reports without a run. */
export const firstTestFails: Habit = function* (task, first) {
  const { change } = task;
  const { file, content, right, wrong } = change.test;
  let failed = first;
  if (failed.assignment.attempt === 1) {
    yield act(read(change.file));
    yield act(...edits(change), write(file, content.replace(right, wrong)));
    failed = yield act(done);
  } else {
    yield* startsAgain(task, first);
  }
  if (!failed.news.includes(`test at ${file}`)) yield findOut('which test fails, and by what', bash(VERIFY));
  yield act(edit(file, wrong, right));
  yield act(bash(VERIFY));
  yield act(done);
};

/** Wants its own change out of the way for a moment, and forgets it there. */
export const stash: Habit = function* (task, first) {
  const { change } = task;
  if (first.assignment.attempt > 1) {
    yield* startsAgain(task, first);
  } else {
    yield act(read(change.file));
    yield act(...edits(change), writesTest(change));
    yield act(bash(`git stash; ${VERIFY}`));
    const failed = yield act(done);
    if (!failed.news.includes('git stash holds'))
      yield findOut('that the change is still set aside', bash('git status --short; git stash list'));
  }
  yield act(bash(`git stash pop; ${VERIFY}`));
  yield act(done);
};

/** Spoils a file with sed, and takes it back with git. */
export const checkout: Habit = function* ({ change, accepted }) {
  yield act(read(change.file));
  yield act(bash(`sed -i 's/(/((/' ${change.file}; ${VERIFY}`));
  yield act(bash(`git checkout ${change.file}; git status --short`));
  yield act(...edits(change), writesTest(change));
  const ran = yield act(bash(VERIFY));
  if (hasFailed(ran)) {
    const lost = accepted.filter(({ file }) => file === change.file);
    const tests = lost.map(({ test }) => read(test.file));
    yield findOut('that git reaches behind accepted work', read(change.file), ...tests);
    yield act(...lost.flatMap(edits));
    yield act(bash(VERIFY));
  }
  yield act(done);
};

const QUESTION = 'Shall the tests be (1) in one file, or (2) in a file for each change?';
/** What the steward answers, and what if the worker asks again. */
export const ANSWERS = ['The second.', 'Take (2): a file for each change.'];

export const asks: Habit = function* (task, first) {
  const { change } = task;
  let isTestThere = true;
  if (first.assignment.attempt === 1) {
    yield act(read('package.json'));
    yield act(writesTest(change));
    yield act(report('stuck', QUESTION));
  } else {
    const seen = yield* startsAgain(task, first);
    isTestThere = !seen.news.includes('there is no');
    if (!/\(2\)/.test(first.all))
      yield findOut('the question that the steward answers', report('stuck', `What is the second? ${QUESTION}`));
  }
  yield act(...edits(change), ...(isTestThere ? [] : [writesTest(change)]));
  yield act(bash(VERIFY));
  yield act(done);
};

export const hugeFile: Habit = function* ({ change, of }) {
  const anchor = change.edits[0]?.at.trim() ?? '';
  let seen = yield act(read(change.file));
  const listed = (): number => Number(of.hugeFileHas?.exec(seen.news)?.[1] ?? 0);
  if (listed() === 0) seen = yield findOut('where in the large file its functions are', grep(anchor, change.file));
  const line = listed() || Number(/:(\d+):/.exec(seen.news)?.[1]);
  const part = yield act(read(change.file, { offset: Math.max(1, line - 3), limit: 12 }));
  if (!part.news.includes(anchor)) throw new Error(`not shown: ${anchor}`);
  yield* completes(change);
};

export const wideGrep: Habit = function* ({ change }) {
  yield act(grep('.', '.'));
  yield act(read(change.file));
  yield* completes(change);
};

export const reportsBeside: Habit = function* ({ change }) {
  yield act(read(change.file));
  yield act(...edits(change), writesTest(change));
  yield act(bash(VERIFY), done);
  yield act(done);
};

/** Prints the status that the server at an address answers. */
const asksAt = (address: string): string =>
  `node -e "fetch(process.argv[1]).then((r) => console.log(r.status))" ${address}`;
const IN_LOG = '$(grep -o "http://localhost:[0-9]*" $log)';
const WAITS = 'until grep -q http://localhost $log; do sleep 0.1; done';

/** As a background command, where there are any; else in one call with the question to it. */
function* asksServer({ of }: Task, first: Request): Script {
  if (first.all.includes('run_in_background')) {
    const started = yield act({ tool: 'bash', input: { command: of.serve, run_in_background: true } });
    const bash_id = Number(/background command (\d+)/.exec(started.news)?.[1]);
    const printed = yield act({ tool: 'bash_output', input: { bash_id, wait_seconds: 60 } });
    const [address = ''] = /http:\/\/localhost:\d+/.exec(printed.news) ?? [];
    yield act(bash(asksAt(address)), { tool: 'bash_output', input: { bash_id, stop: true } });
    return;
  }
  if (!first.all.includes('background is ended with')) {
    yield findOut('that a server ends with the call that starts it', bash(`${of.serve} > log & sleep 1; cat log`));
    yield act(bash('rm log'));
  }
  yield act(bash(`log=$(mktemp); ${of.serve} > $log & p=$!; ${WAITS}; ${asksAt(IN_LOG)}; kill $p`));
}

export const server: Habit = function* (task, first) {
  const { change } = task;
  yield act(read(change.file));
  yield act(...edits(change), writesTest(change));
  yield* asksServer(task, first);
  yield act(bash(VERIFY));
  yield act(done);
};

export const endless: Habit = function* ({ change, of }) {
  yield act(read(change.file));
  yield act({ tool: 'bash', input: { command: of.serve, timeout_seconds: 1 } });
  yield* completes(change);
};

export const writesToTmp: Habit = function* ({ change }) {
  yield act(read(change.file));
  yield act(...edits(change), writesTest(change));
  const ran = yield act(bash(`${VERIFY} > /tmp/tests.txt; tail -9 /tmp/tests.txt`));
  if (!/pass \d/.test(ran.news)) yield act(bash(VERIFY));
  yield act(done);
};

export const changesNothing: Habit = function* ({ change }, first) {
  if (first.assignment.attempt === 1) {
    yield act(read(change.file));
    yield act(done);
  }
  yield act({ ...done, input: { ...done.input, no_change_reason: `${change.file} has the text already.` } });
};
