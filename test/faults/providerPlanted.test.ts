/** Whether the proof of the provider's faults can fail: bugs put into the code that it judges. */
import { expect } from 'vitest';
import type { FaultKind } from '../support/provider/faultKinds.ts';
import { plannedCase } from '../support/provider/faultPlan.ts';
import { runCases } from '../support/provider/faultRun.ts';
import type { openSubject } from '../support/provider/subject.ts';
import { planted } from '../support/suite/planted.ts';
import { buildWith, type PlantedBug } from '../support/suite/plantedBug.ts';

const SUBJECT = 'test/support/provider/subject.ts';

interface Planted extends PlantedBug {
  readonly name: string;
  /** Where it shows, as `[kind, position]`. */
  readonly at: readonly (readonly [FaultKind, number])[];
  /** What is said of it. */
  readonly says: RegExp;
}

const BUGS: readonly Planted[] = [
  {
    name: 'cumulative message_delta are summed',
    file: 'src/adapters/gateway/send/usage.ts',
    find: "this.#output = this.#grown(this.#output, usage.output_tokens, 'output');",
    put: 'this.#output = (this.#output ?? 0) + (usage.output_tokens ?? 0);',
    at: [['several cumulative message_delta', 4]],
    says: /cost \d+, booked \d+/,
  },
  {
    name: 'a cut stream is a whole answer',
    file: 'src/adapters/gateway/send/meter.ts',
    find: "if (done) throw new BrokenAnswer('cut', 'the answer ended in the middle');",
    put: 'if (done) { last = new Uint8Array(0); break; }',
    at: [
      ['stream that ends early', 10],
      ['stream that ends early', 6],
    ],
    says: /answered from|whole answers came|is settled, not unsettled/,
  },
  {
    name: 'Retry-After is ignored',
    file: 'src/core/model/backoff.ts',
    find: "const exact = nonNegative(headers['retry-after-ms']);",
    put: 'if (nowMs > 0) return null;\n  const exact: number | null = null;',
    at: [['429 with a huge Retry-After', 2]],
    says: /came before its Retry-After/,
  },
  {
    name: 'the money of a broken stream is given back',
    file: 'src/adapters/gateway/send/meter.ts',
    find: 'await money.unsettle(reason, begun(answer.billSoFar()));',
    put: 'await money.release(reason);',
    at: [['529 in the stream', 5]],
    says: /is released, not unsettled/,
  },
  {
    name: 'the output of a broken stream is believed',
    file: 'src/adapters/gateway/door/callCost.ts',
    find: 'const usage = { ...begun.prompt, output: fitted.maxTokens };',
    put: 'const usage = begun.prompt;',
    at: [['cut stream', 10]],
    says: /was reserved at \d+, billed at \d+/,
  },
  {
    name: 'calls of a truncated answer are run',
    file: 'src/engine/session/decide.ts',
    find: "    case 'max_tokens':\n",
    put: "    case 'max_tokens':\n      if (calls) return { do: 'run' };\n",
    at: [['each stop reason', 2]],
    says: /ran |of an answer that does not count|answered from/,
  },
  {
    name: 'an answer that dribbles may take for ever',
    file: 'src/adapters/gateway/send/connection.ts',
    find: "clock.timer(totalMs, () => this.#giveUp('slow'))",
    put: 'clock.timer(totalMs, () => undefined)',
    at: [['slow loris', 3]],
    says: /hangs: no end within/,
  },
];

for (const { name, at, says, ...bug } of BUGS)
  planted(name, async () => {
    using built = await buildWith(bug, [SUBJECT]);
    const planted = (await import(built.program(SUBJECT.replace('.ts', '')).href)) as {
      openSubject: typeof openSubject;
    };
    const cases = at.map(([kind, position]) => plannedCase(kind, position, 'worker', 1));
    const { findings } = await runCases(planted.openSubject, cases);
    expect(findings.flatMap(({ what }) => what).join('\n')).toMatch(says);
  });
