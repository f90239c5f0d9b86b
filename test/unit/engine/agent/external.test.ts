import { beforeEach, describe, expect, it } from 'vitest';
import { foldExternalState } from '../../../../src/engine/agent/observed/externalState.ts';
import { askForAnswer } from '../../../../src/engine/session/nudges.ts';
import type { SessionResult, TranscriptEntry } from '../../../../src/engine/session/ports.ts';
import { failure } from '../../../../src/shared/errors.ts';
import { type Act, ExternalBench, edits, reports } from '../../../support/agent/externalBench.ts';
import { plan, plannerSpec, reviewerSpec, workerSpec } from '../../../support/session/sessionBench.ts';

let bench: ExternalBench;
beforeEach(() => {
  bench = new ExternalBench();
});

const kinds = (): string[] => bench.entries.map(({ kind }) => kind);
const messages = (kind: 'reply' | 'results') =>
  bench.entries.flatMap((entry) => (entry.kind === kind ? [(entry as { message: unknown }).message] : []));

describe('a session of another agent', () => {
  it('is journaled as any other, and ends with the answer', async () => {
    bench.turns = [
      [
        { do: 'ask' },
        { do: 'say', text: 'I look ' },
        { do: 'say', text: 'first.' },
        edits('a.js'),
        { do: 'write' },
        reports(),
      ],
    ];
    const result = await bench.open().run();
    expect(result).toMatchObject({
      outcome: 'answered',
      // Calls of a model, not what it journaled.
      turns: 1,
      answer: { kind: 'report', report: { outcome: 'done', summary: 'It works.' } },
    });
    expect(kinds()).toEqual(['opening', 'agent', 'reply', 'results', 'reply', 'results']);
    expect(messages('reply')[0]).toMatchObject({
      content: [
        { type: 'text', text: 'I look first.' },
        { type: 'tool_use', name: 'edit', input: { title: 'Edit a.js', path: 'a.js' } },
      ],
    });
    expect(bench.entries.at(-1)).toMatchObject({ checkpoint: 'tree-1' });
    expect(bench.prompts).toEqual([workerSpec().opening]);
    expect(bench.running).toBe(0);
  });

  it('has its plan as the to-do list: the newest alone where it changes fast, bounded, and the last one before its end', async () => {
    const item = (text: string, state: 'pending' | 'in_progress' | 'done') => ({ text, state });
    const [first, next, last] = [
      [item('Write push', 'in_progress')],
      [item('Write push', 'done'), item(' ', 'pending')],
      [item('Write push', 'done'), item('y'.repeat(300), 'in_progress')],
    ];
    bench.turns = [
      [
        { do: 'plan', entries: first },
        { do: 'plan', entries: first },
        { do: 'plan', entries: next },
        { do: 'wait', ms: 1_000 },
        { do: 'plan', entries: last },
        reports(),
      ],
    ];
    await bench.open().run();
    expect(bench.todo).toEqual([
      first,
      [item('Write push', 'done')],
      [item('Write push', 'done'), item(`${'y'.repeat(199)}…`, 'in_progress')],
    ]);
  });

  it('counts the tree as it was with the answer: what is written after it is undone', async () => {
    bench.turns = [[{ do: 'write' }, reports(), { do: 'write' }, edits('late.js')]];
    await bench.open().run();
    expect(bench.version).toBe(1);
    expect(bench.restored).toEqual(['tree-1']);
    expect(kinds()).toEqual(['opening', 'agent', 'reply', 'results']);
  });

  it('takes the same answer again, and no other', async () => {
    bench.turns = [[reports(), reports(), reports('stuck', 'Or not.')]];
    expect(await bench.open().run()).toMatchObject({ answer: { report: { outcome: 'done' } } });
    expect(bench.told.map(({ ok }) => ok)).toEqual([true, true, false]);
    expect(await bench.call('report', { outcome: 'done', summary: 'x' })).toMatchObject({ ok: false });
  });

  it('gives an invalid answer back once', async () => {
    bench.turns = [[reports('perhaps'), reports()]];
    expect(await bench.open().run()).toMatchObject({ outcome: 'answered' });
    expect(bench.told[0]).toMatchObject({ ok: false, text: expect.stringContaining('invalid input') });
    bench = new ExternalBench();
    bench.turns = [[reports('perhaps'), reports('perhaps'), { do: 'hang', deaf: false }]];
    expect(await bench.open().run()).toMatchObject({ outcome: 'ended', reason: 'invalid_answer' });
  });

  it('asks once for the answer that a turn ended without', async () => {
    bench.turns = [[edits('a.js')], [edits('b.js'), reports()]];
    expect(await bench.open().run()).toMatchObject({ outcome: 'answered' });
    expect(bench.prompts[1]).toBe(askForAnswer('worker'));
    bench = new ExternalBench();
    bench.turns = [[edits('a.js')], [edits('b.js')], [reports()]];
    expect(await bench.open().run()).toMatchObject({ outcome: 'ended', reason: 'no_report' });
    expect(bench.prompts).toHaveLength(2);
  });

  it('keeps the last words that come with the end alone', async () => {
    bench.resumes = false;
    bench.turns = [[{ do: 'end', reason: 'end', text: 'I am done.' }], [{ do: 'say', text: 'So be it.' }, reports()]];
    const session = bench.open();
    await session.run();
    const texts = messages('reply').map((message) => (message as { content: unknown[] }).content[0]);
    expect(texts).toMatchObject([
      { type: 'text', text: 'I am done.' },
      { type: 'text', text: 'So be it.' },
      { type: 'tool_use', name: 'report' },
    ]);
    expect(session.remembers).toBe(false);
  });

  it('takes no call of a tool that it claims for an answer', async () => {
    const claims = { id: 'x', title: 'report', what: 'report', input: { outcome: 'done', summary: 'ha' } } as const;
    bench.turns = [[{ do: 'tool', update: { ...claims, status: 'completed', output: 'Taken.' } }]];
    expect(await bench.open().run()).toMatchObject({ outcome: 'ended', reason: 'no_report' });
  });

  it('cancels a turn that goes on long after its answer', async () => {
    bench.turns = [[reports(), { do: 'hang', deaf: true }]];
    expect(await bench.open().run()).toMatchObject({ outcome: 'answered' });
    expect(bench.clock.monotonic()).toBeGreaterThanOrEqual(30_000);
    expect(bench.clock.pending).toBe(0);
  });

  it('leaves two verdicts of its model that differ to a person', async () => {
    const says = (verdict: string, reason: string): Act[] => [
      { do: 'ask', calls: [{ name: 'mcp__autonomous__submit_verdict', input: { verdict, reason } }] },
      { do: 'call', tool: 'submit_verdict', input: { verdict, reason } },
    ];
    bench.turns = [[...says('APPROVED', 'Good.'), ...says('REJECTED', 'It fails.')]];
    const { answer } = (await bench.open(reviewerSpec).run()) as Extract<SessionResult, { outcome: 'answered' }>;
    expect(answer).toMatchObject({ verdict: { verdict: 'ESCALATE', reason: expect.stringContaining('It fails.') } });
    bench = new ExternalBench();
    bench.turns = [[...says('APPROVED', 'Good.'), ...says('APPROVED', 'Fine.')]];
    expect(await bench.open(reviewerSpec).run()).toMatchObject({ answer: { verdict: { reason: 'Good.' } } });
  });

  it('hands in a plan and is asked for another in the same conversation', async () => {
    bench.turns = [
      [{ do: 'call', tool: 'submit_plan', input: plan }],
      [{ do: 'call', tool: 'submit_plan', input: { ...plan, title: 'Better' } }],
    ];
    const session = bench.open(plannerSpec);
    expect(session.tools.map(({ name }) => name)).toEqual(['submit_plan']);
    expect(await session.run()).toMatchObject({ answer: { kind: 'plan', plan: { title: 'A stack' } } });
    expect(await session.continueWith('Submit the whole plan again.')).toMatchObject({
      answer: { plan: { title: 'Better' } },
    });
    expect(bench.orders[1]).toMatchObject({ resume: 'own-1', writes: false });
    expect(bench.prompts[1]).toBe('Submit the whole plan again.');
  });

  it('corrects the plan that it handed in before its process died', async () => {
    const correct = (path: readonly string[], value: unknown): Act => ({
      do: 'call',
      tool: 'submit_plan',
      input: { corrections: [{ path, value }] },
    });
    bench.turns = [[correct(['title'], 'Too early'), { do: 'call', tool: 'submit_plan', input: plan }]];
    expect(await bench.open(plannerSpec).run()).toMatchObject({ answer: { plan: { title: 'A stack' } } });
    expect(JSON.stringify(bench.entries)).toContain('nothing to correct');
    bench.turns = [[correct(['title'], 'Better')]];
    const resumed = bench.open(plannerSpec);
    expect(await resumed.continueWith('Correct it.')).toMatchObject({
      answer: { plan: { title: 'Better', phases: [{ features: [{ name: 'push' }] }] } },
    });
  });

  it('holds 16 kB of an output, and lines instead of everything once it is too long', async () => {
    const big = (id: string) =>
      ({ id, title: `Run ${id}`, what: 'execute', status: 'completed', output: 'x'.repeat(100_000) }) as const;
    bench.turns = [
      [
        { do: 'tool', update: big('first') },
        { do: 'fail', code: 'AGENT_DIED' },
      ],
    ];
    await expect(bench.open().run()).rejects.toMatchObject({ code: 'AGENT_DIED' });
    const told = bench.entries.filter(({ kind }) => kind === 'reply' || kind === 'results');
    const room = 8 * 1024 * 1024 - 3 * JSON.stringify(told).length;
    while (JSON.stringify(told).length * (bench.entries.length / 2 - 1) < room) bench.entries.push(...told);
    bench.turns = [[...Array.from({ length: 8 }, (_, n) => ({ do: 'tool', update: big(`${n}`) }) as const), reports()]];
    await bench.open().run();
    const sizes = messages('results').map((message) => JSON.stringify(message).length);
    expect(sizes[0]).toBeGreaterThan(16_000);
    expect(sizes[0]).toBeLessThan(17_000);
    const last = sizes.slice(-9, -1);
    expect(last[0]).toBeGreaterThan(16_000);
    expect(last.at(-1)).toBeLessThan(300);
    expect(JSON.stringify(bench.entries).length).toBeLessThan(9 * 1024 * 1024);
  });
});

describe('what ends it', () => {
  it('is a limit of the attempt: calls before they leave, time while it works', async () => {
    bench.limits = { ...bench.limits, turns: 2 };
    bench.turns = [[{ do: 'ask' }, { do: 'ask' }, { do: 'ask' }, { do: 'hang', deaf: false }]];
    const ended = { outcome: 'ended', reason: 'turns', detail: '2 of 2 turns used', turns: 2 };
    expect(await bench.open().run()).toMatchObject(ended);
    expect(bench.used.turns).toBe(2);
    bench = new ExternalBench();
    bench.turns = [[{ do: 'hang', deaf: true }]];
    expect(await bench.open().run()).toMatchObject({ outcome: 'ended', reason: 'time' });
    bench = new ExternalBench();
    bench.limits = { ...bench.limits, tokens: 10 };
    bench.turns = [[{ do: 'ask' }, reports()]];
    expect(await bench.open().run()).toMatchObject({ outcome: 'answered' });
  });

  it('is the gateway that refuses: it stands by, also for the money of the attempt', async () => {
    const refuse = (limit: string) => () => {
      throw failure('LIMIT_REACHED', `the ${limit} limit is reached`, { details: { limit, raiseTo: 5 } });
    };
    bench.onCall = refuse('job');
    bench.turns = [[{ do: 'ask' }, { do: 'hang', deaf: false }]];
    expect(await bench.open().run()).toMatchObject({ outcome: 'unavailable', code: 'LIMIT_REACHED', raiseTo: 5 });
    bench.onCall = () => undefined;
    bench.turns = [[reports()]];
    expect(await bench.open().run()).toMatchObject({ outcome: 'answered' });
    bench = new ExternalBench();
    bench.onCall = refuse('attempt');
    bench.turns = [[{ do: 'ask' }, { do: 'hang', deaf: true }]];
    expect(await bench.open().run()).toMatchObject({ outcome: 'unavailable', limit: 'attempt', raiseTo: 5 });
  });

  it('is more at once than can be journaled: whoever stops it would wait for all of it', async () => {
    const call = (id: number) => ({ id: `${id}`, title: 'Look', what: 'read', status: 'completed' }) as const;
    bench.turns = [Array.from({ length: 2_500 }, (_, id) => ({ do: 'tool', update: call(id) }) as const)];
    let kept = 0;
    const append = async (): Promise<void> => {
      kept++;
      await new Promise((resolve) => setImmediate(resolve));
    };
    const result = await bench.open(workerSpec(), { transcript: { entries: [], append } }).run();
    expect(result).toMatchObject({ outcome: 'ended', reason: 'flood' });
    expect(kept).toBeLessThan(4_000);
  });

  it('is not what it says too fast to be read: the newest of it is shown', async () => {
    const retitled = (n: number) => ({ do: 'tool', update: { id: 'x', title: `Step ${n}` } }) as const;
    bench.turns = [[...Array.from({ length: 5_000 }, (_, n) => retitled(n)), { do: 'wait', ms: 100 }, reports()]];
    const lines: string[] = [];
    await bench.open(workerSpec(), { live: (text) => void lines.push(text) }).run();
    expect(lines).toHaveLength(2);
    expect(lines.at(-1)).toBe('Step 4999');
    expect(bench.clock.pending).toBe(0);
  });

  it('takes neither a call nor a report of one that goes on after it', async () => {
    let calls = 0;
    bench.onCall = () => {
      if (++calls === 1) throw failure('LIMIT_REACHED', 'the job limit is reached', { details: { limit: 'job' } });
    };
    bench.turns = [[{ do: 'ignore' }, { do: 'ask' }, { do: 'ask' }, reports('blocked', 'There is no money.')]];
    expect(await bench.open().run()).toMatchObject({ outcome: 'unavailable', code: 'LIMIT_REACHED' });
    expect(calls).toBe(1);
    expect(bench.told).toMatchObject([{ ok: false }]);
  });

  it('is a flood, which is an end; a death and a missing login are thrown', async () => {
    bench.turns = [[edits('a.js'), { do: 'fail', code: 'AGENT_FLOOD' }]];
    expect(await bench.open().run()).toMatchObject({ outcome: 'ended', reason: 'flood' });
    for (const code of ['AGENT_DIED', 'AGENT_SILENT', 'AGENT_LOGIN', 'AGENT_UNUSABLE'] as const) {
      bench = new ExternalBench();
      bench.turns = [[{ do: 'fail', code }]];
      await expect(bench.open().run()).rejects.toMatchObject({ code });
      expect(bench.running).toBe(0);
    }
  });

  it('is nothing of that once the answer is there', async () => {
    bench.turns = [[reports(), { do: 'fail', code: 'AGENT_DIED' }]];
    expect(await bench.open().run()).toMatchObject({ outcome: 'answered' });
  });

  it('is the pause, and it is taken up where it was', async () => {
    bench.turns = [[edits('a.js'), { do: 'hang', deaf: false }]];
    const session = bench.open();
    const cancel = bench.clock.timer(5_000, () => bench.abort.abort(new Error('paused')));
    expect(await session.run()).toMatchObject({ outcome: 'aborted' });
    cancel();
    bench.abort = new AbortController();
    bench.turns = [[reports()]];
    expect(await bench.open().run()).toMatchObject({ outcome: 'answered' });
    expect(bench.orders[1]?.resume).toBe('own-1');
    expect(bench.prompts[1]).toMatch(/^Engine: you were interrupted/);
  });

  it('tells an agent that does not remember what it did', async () => {
    bench.resumes = false;
    bench.turns = [[{ do: 'say', text: 'Half of it.' }, edits('a.js'), { do: 'fail', code: 'AGENT_DIED' }]];
    await expect(bench.open().run()).rejects.toMatchObject({ code: 'AGENT_DIED' });
    bench.turns = [[reports()]];
    await bench.open().run();
    const [, again] = bench.prompts;
    expect(again).toContain(workerSpec().opening);
    expect(again).toContain('Half of it.');
    expect(again).toContain('a.js');
    expect(again).toMatch(/then continue it\.$/);
  });
});

describe('an agent with an account of its own', () => {
  const usage = { input: 100, output: 20, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };

  it('has each turn reserved and booked by what it reports', async () => {
    bench.ownAccount = true;
    bench.turns = [
      [{ do: 'end', reason: 'end', used: { usage, costMicroUsd: 700 } }],
      [{ do: 'report', used: { usage, costMicroUsd: null } }, reports()],
    ];
    await bench.open().run();
    expect(bench.booked).toEqual([
      ['reserve', 1_000_000],
      ['settle', { usage, costMicroUsd: 700 }],
      ['reserve', 1_000_000],
      ['settle', { usage, costMicroUsd: null }],
    ]);
  });

  it('stays unsettled when it reports nothing, and ends at the tokens that it reports', async () => {
    bench.ownAccount = true;
    bench.turns = [[reports()]];
    await bench.open().run();
    expect(bench.booked.at(-1)).toEqual(['unsettle', expect.any(String)]);
    bench = new ExternalBench();
    bench.ownAccount = true;
    bench.limits = { ...bench.limits, tokens: 100 };
    bench.turns = [
      [
        { do: 'report', used: { usage, costMicroUsd: null } },
        { do: 'hang', deaf: false },
      ],
    ];
    expect(await bench.open().run()).toMatchObject({ outcome: 'ended', reason: 'tokens' });
    expect(bench.booked.at(-1)).toMatchObject(['settle', { usage }]);
  });
});

it('gives its answer again after a kill, from the tree that it was about', async () => {
  bench.turns = [[{ do: 'write' }, reports()]];
  const first = await bench.open().run();
  bench.version = 9;
  expect(await bench.open().run()).toEqual(first);
  expect(bench.version).toBe(1);
  expect(bench.orders).toHaveLength(1);
  const open = foldExternalState(bench.entries.filter((entry: TranscriptEntry) => entry.kind !== 'results'));
  expect(open.conversation.settled).toBeNull();
});
