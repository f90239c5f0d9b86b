import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TranscriptEntry } from '../../../src/engine/session/ports.ts';
import { openSession } from '../../../src/engine/session/session.ts';
import { formatAssignment } from '../../../src/shared/workspace/assignment.ts';
import type { ScriptedModel, ScriptedReply } from '../../support/provider/scriptedModel.ts';
import { call, calls, done, type SessionBench, says, workerSpec } from '../../support/session/sessionBench.ts';
import { sessionTest } from '../../support/session/sessionTest.ts';
import { dearFrom } from '../../support/session/tightPrices.ts';

const { bench, scripted, after, run } = sessionTest();

/** A session with every kind of entry: effects in the tree, a re-ask, a cut reply, an invalid answer, handovers. */
function story(): readonly ScriptedReply[] {
  const append = (n: number) => call('bash', { command: `append ${n}` });
  return [
    calls(call('write', { file_path: 'log.txt', content: 'start\n' }), append(1)),
    calls(append(2)),
    says('I think that is all.'),
    calls(append(3), call('edit', { file_path: 'log.txt', old_string: 'start', new_string: 'begin' })),
    { content: [append(99)], stop_reason: 'max_tokens' },
    calls(call('report', { outcome: 'finished' })),
    ...[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15].map((n) => calls(append(n))),
    calls(append(16)),
    calls(call('report', { outcome: 'done', summary: 'All of it.' })),
  ];
}

/** `append 3` adds a line to the log; running it twice on the same tree would show. */
function appending(to: SessionBench): void {
  to.onCommand = (command) => {
    const n = command.split(' ')[1] ?? '';
    to.appendLine('log.txt', n);
    return `line ${n} `.repeat(300);
  };
}

const settings = { prices: dearFrom(7_000) };

const isRequest = (entry: TranscriptEntry | undefined): boolean =>
  entry?.kind === 'user' && entry.handover !== undefined;

describe('a session killed after any entry of its transcript', () => {
  it('gives the same answer over the same tree, and asks for no reply twice', async () => {
    const replies = story();
    appending(bench());
    const whole = await run(replies, { settings });
    expect(whole.result).toMatchObject({ outcome: 'answered', answer: { report: { summary: 'All of it.' } } });
    const entries = [...bench().entries];
    expect(new Set(entries.map((entry) => entry.kind))).toEqual(
      new Set<TranscriptEntry['kind']>(['opening', 'user', 'reply', 'results', 'compacted']),
    );
    const log = readFileSync(join(bench().workdir, 'log.txt'), 'utf8');

    for (let length = 0; length <= entries.length; length++) {
      const known = entries.slice(0, length);
      const answered = known.filter((entry) => entry.kind === 'reply').length;
      const summaries = known.filter((entry, n) => entry.kind === 'reply' && isRequest(known[n - 1])).length;
      const again = await resumed(known, await after(whole.model, ...replies.slice(answered - summaries)));
      expect(again.result, `after ${length} entries`).toEqual(whole.result);
      expect(again.log, `after ${length} entries`).toBe(log);
      expect(again.entries.slice(length).map((entry) => entry.kind)).toEqual(
        entries.slice(length).map((entry) => entry.kind),
      );
      expect(again.bodies, `after ${length} entries`).toEqual(whole.model.bodies.slice(answered));
    }
  });

  /** Runs what is left on the bench of the first run: its checkpoints are there, its tree is as the kill left it. */
  async function resumed(known: readonly TranscriptEntry[], model: ScriptedModel) {
    if (known.length === 0) bench().clearTree();
    else bench().leaveTreeAt(known);
    bench().entries = [...known];
    const spec = workerSpec(known.length === 0 ? undefined : 'other than journaled');
    const result = await openSession(spec, bench().ports(model), settings)
      .run()
      .catch((thrown: unknown) => thrown);
    const log = readFileSync(join(bench().workdir, 'log.txt'), 'utf8');
    return { result, log, entries: bench().entries, bodies: model.bodies };
  }
});

describe('a resumed session', () => {
  it('restores the tree when it is resumed, before an interrupted round as well as between two', async () => {
    await run([calls(call('bash', { command: 'a' })), calls(call('bash', { command: 'b' })), done()]);
    const entries = [...bench().entries];
    expect(bench().restored).toEqual([]);
    bench().entries = entries.slice(0, 4);
    await run([done()]);
    expect(bench().restored).toEqual(['checkpoint-2']);
    bench().entries = entries.slice(0, 5);
    await run([done()]);
    expect(bench().restored).toEqual(['checkpoint-2', 'checkpoint-3']);
  });

  it('goes on after an abort in the middle of a tool', async () => {
    const aborted = new AbortController();
    bench().onCommand = () => {
      aborted.abort();
      return '';
    };
    const first = await run([calls(call('bash', { command: 'a' }))], { ports: { signal: aborted.signal } });
    expect(first.result).toMatchObject({ outcome: 'aborted' });
    bench().onCommand = () => 'ok';
    expect((await run([done()])).result).toMatchObject({ outcome: 'answered', turns: 2 });
    expect(bench().commands).toEqual(['a', 'a']);
  });

  it('goes on in the second feature of a batch', async () => {
    const model = await scripted(done('one'), calls(call('bash', { command: 'b' })));
    const session = openSession(workerSpec(), bench().ports(model));
    await session.run();
    const next = formatAssignment({ role: 'worker', phase: 'Core', feature: 'peek', featureId: 6, attempt: 1 });
    bench().limits = { ...bench().limits, turns: 2 };
    await expect(session.continueWith(next)).resolves.toMatchObject({ outcome: 'unavailable' });
    expect((await run([done('two')])).result).toMatchObject({ answer: { report: { summary: 'two' } } });
  });

  it('mends a transcript that lost lines', async () => {
    await run([calls(call('bash', { command: 'a' })), calls(call('bash', { command: 'b' })), done()]);
    const [opening, firstReply, , secondReply] = bench().entries;
    bench().entries = [opening, firstReply, secondReply].filter((entry) => entry !== undefined);
    const { model } = await run([done()]);
    const [, , synthetic] = model.sent(0).messages;
    expect(synthetic?.content).toMatchObject([{ type: 'tool_result', is_error: true }]);
  });

  it('refuses another message while it has no result', async () => {
    const model = await scripted();
    await expect(openSession(workerSpec(), bench().ports(model)).continueWith('more')).rejects.toMatchObject({
      code: 'INTERNAL',
    });
  });
});
