import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSession } from '../../../src/engine/session/session.ts';
import { formatAssignment } from '../../../src/shared/workspace/assignment.ts';
import {
  call,
  calls,
  done,
  plan,
  plannerSpec,
  resultsIn,
  reviewerSpec,
  says,
  summarizerSpec,
  workerSpec,
} from '../../support/session/sessionBench.ts';
import { sessionTest } from '../../support/session/sessionTest.ts';

const { bench, scripted, run } = sessionTest();

describe('a worker session', () => {
  it('works with its tools, one after another, and reports', async () => {
    const { result, model } = await run([
      calls(
        call('write', { file_path: 'src/stack.js', content: 'export const stack = [];\n' }),
        call('edit', { file_path: 'src/stack.js', old_string: '[]', new_string: '[1]' }),
        call('read', { file_path: 'src/stack.js' }),
      ),
      calls(call('bash', { command: 'node --test' }), call('glob', { pattern: '**/*.js' })),
      calls(call('grep', { pattern: 'stack' }), call('note', { scope: 'global', content: 'arrays' })),
      done(),
    ]);
    expect(result).toMatchObject({
      outcome: 'answered',
      turns: 4,
      answer: { kind: 'report', report: { outcome: 'done' } },
    });
    expect(readFileSync(join(bench().workdir, 'src/stack.js'), 'utf8')).toBe('export const stack = [1];\n');
    expect(resultsIn(model, 1).at(-1)).toMatchObject({ content: '     1\texport const stack = [1];' });
    expect(resultsIn(model, 2).map((block) => block['content'])).toEqual(['ok\n[exit code 0]', 'src/stack.js']);
    expect(resultsIn(model, 3)[0]).toMatchObject({ content: 'src/stack.js:1:export const stack = [1];' });
    expect(bench().live).toContain('edit src/stack.js');
  });

  it('takes the next feature of a batch in the same conversation, with limits of its own', async () => {
    bench().limits = { ...bench().limits, turns: 2 };
    const model = await scripted(
      calls(call('bash', { command: 'a' })),
      done('one'),
      calls(call('bash', { command: 'b' })),
      done('two'),
    );
    const session = openSession(workerSpec(), bench().ports(model));
    expect(await session.run()).toMatchObject({ answer: { report: { summary: 'one' } } });
    const next = formatAssignment({ role: 'worker', phase: 'Core', feature: 'peek', featureId: 6, attempt: 1 });
    expect(await session.continueWith(`${next}\n\nGo on.`)).toMatchObject({
      turns: 4,
      answer: { report: { summary: 'two' } },
    });
    expect(model.sent(2).messages.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
  });

  it('refuses to write into .git or out of the tree, and shows invalid input', async () => {
    const { model } = await run([
      calls(
        call('write', { file_path: '.git/hooks/pre-commit', content: 'x' }),
        call('write', { file_path: 'a/.GIT/config', content: 'x' }),
        call('edit', { file_path: '../outside', old_string: 'a', new_string: 'b' }),
        call('read', { file_path: '/etc/passwd' }),
        call('read', { path: 'a' }),
        call('bash', 'ls'),
        call('no_such_tool', {}),
      ),
      done(),
    ]);
    const results = resultsIn(model, 1);
    expect(results.map((block) => block['is_error'])).toEqual(results.map(() => true));
    expect(results[0]?.['content']).toContain('belongs to git');
    expect(results[4]?.['content']).toContain('file_path');
    expect(bench().commands).toEqual([]);
    expect(existsSync(join(bench().workdir, '.git'))).toBe(false);
  });
});

describe('an answer', () => {
  it('is the plan of a planner, without row ids', async () => {
    const { result } = await run([calls(call('submit_plan', plan))], { spec: plannerSpec });
    expect(result).toMatchObject({
      answer: { kind: 'plan', plan: { phases: [{ verify_commands: [], features: [{ name: 'push' }] }] } },
    });
    expect(JSON.stringify(result)).not.toContain('"id"');
  });

  it('is the plan that was kept when it came beside other calls', async () => {
    const { result, model } = await run(
      [
        calls(call('submit_plan', plan), call('bash', { command: 'true' })),
        calls(call('submit_plan', { ...plan, corrections: [] })),
        calls(call('submit_plan', { corrections: [] })),
      ],
      { spec: plannerSpec },
    );
    expect(resultsIn(model, 1)[0]?.['content']).toContain('an empty list of corrections submits it as it is');
    expect(resultsIn(model, 2)[0]?.['content']).toContain('either corrections or a whole plan');
    expect(result).toMatchObject({ answer: { kind: 'plan', plan: { phases: [{ features: [{ name: 'push' }] }] } } });
  });

  it('is the plain text of a summarizer', async () => {
    const { result } = await run([says(' A stack exists. ')], { spec: summarizerSpec });
    expect(result).toMatchObject({ answer: { kind: 'text', text: 'A stack exists.' } });
  });

  it('that is invalid gets one repair turn', async () => {
    const { result, model } = await run([calls(call('report', { outcome: 'finished' })), done()]);
    expect(result).toMatchObject({ outcome: 'answered' });
    expect(resultsIn(model, 1)[0]).toMatchObject({ is_error: true, content: expect.stringContaining('outcome') });
  });

  it('that is invalid twice ends the session', async () => {
    const { result } = await run([calls(call('report', {})), calls(call('report', { outcome: 'done' }))]);
    expect(result).toMatchObject({ outcome: 'ended', reason: 'invalid_answer', turns: 2 });
  });

  it('counts only if it is the only call of its reply', async () => {
    const { result, model } = await run([
      calls(call('bash', { command: 'true' }), call('report', { outcome: 'done', summary: 'early' })),
      done('late'),
    ]);
    expect(result).toMatchObject({ answer: { report: { summary: 'late' } } });
    expect(resultsIn(model, 1)).toMatchObject([
      { content: 'ok\n[exit code 0]' },
      { is_error: true, content: expect.stringContaining('report must be the only call of its reply') },
    ]);
  });

  it('counts beside a to-do list, whose result cannot change it', async () => {
    const { result } = await run([
      calls(
        call('todo', { items: [{ text: 'it', state: 'done' }] }),
        call('report', { outcome: 'done', summary: 'now' }),
      ),
    ]);
    expect(result).toMatchObject({ turns: 1, answer: { report: { summary: 'now' } } });
  });

  it('that an older version took beside other calls still counts', async () => {
    await run([calls(call('bash', { command: 'true' }), call('report', { outcome: 'done', summary: 'old' })), done()]);
    const [opening, reply, results] = bench().entries;
    if (results?.kind !== 'results') throw new Error('the round is journaled');
    const { content, ...message } = results.message as { content: object[] };
    const taken = content.map((block) => ({ ...block, is_error: false }));
    bench().entries = [opening, reply, { ...results, message: { ...message, content: taken } }].flatMap(
      (one) => one ?? [],
    );
    expect((await run([])).result).toMatchObject({ answer: { report: { summary: 'old' } } });
  });

  it.each([
    [
      'two verdicts',
      [
        call('submit_verdict', { verdict: 'APPROVED', reason: 'r' }),
        call('submit_verdict', { verdict: 'REJECTED', reason: 'r', feedback: 'f' }),
      ],
    ],
    ['a rejection without feedback', [call('submit_verdict', { verdict: 'REJECTED', reason: 'r' })]],
    ['a word that is no verdict', [call('submit_verdict', { verdict: 'APPROVED!', reason: 'r' })]],
  ])('is never read from %s', async (_name, blocks) => {
    const again = blocks.map((block) => ({ ...block, id: `${'id' in block ? block.id : ''}b` }));
    const { result } = await run([calls(...blocks), calls(...again)], { spec: reviewerSpec });
    expect(result).toMatchObject({ outcome: 'ended', reason: 'invalid_answer' });
  });
});

describe('a stop reason', () => {
  it('end_turn without an answer gets one re-ask', async () => {
    const { result, model } = await run([says('All done!'), done()]);
    expect(result).toMatchObject({ outcome: 'answered', turns: 2 });
    expect(JSON.stringify(model.sent(1).messages.at(-1))).toContain('call report now');
  });

  it('end_turn twice in a row ends without a report', async () => {
    const { result } = await run([says('All done!'), says('Really.')]);
    expect(result).toMatchObject({ outcome: 'ended', reason: 'no_report', turns: 2 });
  });

  it('end_turn after an invalid answer ends as invalid', async () => {
    const { result } = await run([calls(call('report', {})), says('Hm.'), says('Hm.')]);
    expect(result).toMatchObject({ outcome: 'ended', reason: 'invalid_answer' });
  });

  it.each([
    ['max_tokens', 'truncated', 2],
    // Between the two, the conversation is handed over.
    ['model_context_window_exceeded', 'context_full', 3],
  ])('%s: nothing of the reply runs or counts, one re-ask, then the end', async (stop_reason, reason, turns) => {
    const cut = () => ({
      content: [call('bash', { command: 'rm -rf .' }), call('report', { outcome: 'done', summary: 's' })],
      stop_reason,
    });
    const { result, model } = await run([cut(), cut()]);
    expect(result).toMatchObject({ outcome: 'ended', reason, turns });
    expect(bench().commands).toEqual([]);
    expect(resultsIn(model, 1)).toMatchObject([{ is_error: true }, { is_error: true }]);
  });

  it('max_tokens once is made good', async () => {
    const { result } = await run([
      says('I was about to', 'max_tokens'),
      calls(call('bash', { command: 'a' })),
      says('cut', 'max_tokens'),
      done(),
    ]);
    expect(result).toMatchObject({ outcome: 'answered', turns: 4 });
  });

  it('refusal ends', async () => {
    const { result } = await run([
      { content: [call('report', { outcome: 'done', summary: 's' })], stop_reason: 'refusal' },
    ]);
    expect(result).toMatchObject({ outcome: 'ended', reason: 'refusal' });
  });

  it('pause_turn is sent back', async () => {
    const { result, model } = await run([says('Wait', 'pause_turn'), done()]);
    expect(result).toMatchObject({ outcome: 'answered' });
    expect(model.sent(1).messages.at(-1)).toMatchObject({ role: 'assistant' });
  });

  it('that nobody knows ends', async () => {
    const { result } = await run([
      { content: [call('report', { outcome: 'done', summary: 's' })], stop_reason: 'tired' },
    ]);
    expect(result).toMatchObject({
      outcome: 'ended',
      reason: 'unknown_stop',
      detail: expect.stringContaining('tired'),
    });
  });

  it('of an empty reply is asked again', async () => {
    const { result, model } = await run([{ content: [], stop_reason: 'end_turn' }, done()]);
    expect(result).toMatchObject({ outcome: 'answered' });
    expect(model.sent(1).messages).toHaveLength(1);
  });
});
