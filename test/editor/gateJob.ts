/** A job at its merge gate: it adds a program, and a script of package.json that would run on the user's machine. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScenarioInput } from '../../src/adapters/simulated/scenario.ts';
import type { MergeMode } from '../../src/shared/domain.ts';
import type { Terminal } from './terminal.ts';

/** Exit code of the terminal program when the steward is waited for. */
const WAITS = 3;
export const PROGRAM = 'greet.js';
/** What the worker asks who takes up a rejection. */
export const ASKS_BACK = 'Whom should it greet?';

const report = (outcome: 'done' | 'stuck', question = '') => ({
  tool: 'report',
  input: { outcome, summary: 'The program.', question },
});
const FIRST = {
  calls: [
    { tool: 'write', input: { file_path: PROGRAM, content: "const name = 'you';\nconsole.log('Hello', name);\n" } },
    {
      tool: 'edit',
      input: { file_path: 'package.json', old_string: '"node --test"', new_string: '"node --test && node greet.js"' },
    },
  ],
};

const SCENARIO: ScenarioInput = {
  version: 1,
  title: 'A greeting',
  plan: {
    title: 'A greeting',
    phases: [
      {
        title: 'Greet',
        objective: 'A program greets.',
        acceptance_criteria: ['It greets.'],
        verify_commands: [],
        features: [
          { name: 'Greeting', category: 'words', description: 'Print a greeting.', testing_steps: ['It greets'] },
        ],
      },
    ],
  },
  features: { Greeting: { attempts: [{ turns: [FIRST, { calls: [report('done')] }] }] } },
  otherwise: {
    feature: { attempts: [{ turns: [{ calls: [report('stuck', ASKS_BACK)] }] }] },
    phase: { reviews: [{ verdict: { verdict: 'APPROVED', reason: 'It greets.' } }], summaries: ['It greets.'] },
  },
};

/** Carried out by the terminal program, before any window opens. It runs no command, so that it needs no sandbox. */
export async function jobAtItsGate(terminal: Terminal, folder: string, mode: MergeMode = 'merge'): Promise<void> {
  const file = join(folder, 'greeting.json');
  await writeFile(file, JSON.stringify(SCENARIO));
  const options = ['--provider', 'simulated', '--scenario', file, '--gates', 'merge', '--merge', mode];
  const { code, printed } = await terminal.autonomous('run', 'A program that greets', ...options);
  assert.equal(code, WAITS, printed);
}
