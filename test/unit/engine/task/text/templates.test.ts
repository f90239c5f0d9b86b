/** Templates of tasks: read with every fault in its place, filled in, written and read again; and those that come with the extension. */

import { describe, expect, it } from 'vitest';
import { builtInTaskTemplates } from '../../../../../src/app/open/taskTemplates.ts';
import { need, taskSteps } from '../../../../../src/core/state/rows.ts';
import { nextSteps } from '../../../../../src/core/task/next.ts';
import { problemSentences } from '../../../../../src/core/task/script/check.ts';
import { effectsOf } from '../../../../../src/core/task/script/effects.ts';
import { readTaskText, writeTaskText } from '../../../../../src/engine/task/text/taskText.ts';
import { fillTemplate } from '../../../../../src/engine/task/text/templateParameters.ts';
import type { TemplateFolder } from '../../../../../src/engine/task/text/templatePorts.ts';
import {
  keepTemplate,
  listTemplates,
  madeDefinition,
  templateText,
} from '../../../../../src/engine/task/text/templates.ts';
import { type TaskDefinition, type TaskTemplate, taskSchema } from '../../../../../src/shared/task/tasks.ts';
import { START_MS } from '../../../../support/state/builders.ts';
import { playedTask } from '../../../../support/state/taskRows.ts';
import { amount } from '../../../../support/suite/proof.ts';
import { fc } from '../../../../support/suite/property.ts';

const read = (text: string) => readTaskText(text, START_MS, []);
const faults = (text: string): string =>
  read(text)
    .faults.map(({ line, column, message }) => `${line + 1}:${column + 1} ${message}`)
    .join('\n');
const templateOf = (text: string): TaskTemplate => {
  const { task, faults: found } = read(text);
  if (task === null || found.length > 0) throw new Error(faults(text));
  return task;
};
const folder = (
  files: Readonly<Record<string, string>>,
  origin: TemplateFolder['origin'] = 'workspace',
): TemplateFolder => ({
  origin,
  names: async () => Object.keys(files),
  read: async (name) =>
    Object.hasOwn(files, name) ? { path: `/t/${name}.yaml`, bytes: new TextEncoder().encode(files[name]) } : null,
});

const BUILT_IN = builtInTaskTemplates();

const step = '\nsteps:\n  - { name: A, action: llm_generate, params: { prompt: x } }\n';

describe('a text that is no task', () => {
  it.each<readonly [string, string, RegExp]>([
    ['nothing', '', /^1:1 name is missing/],
    ['a key of nobody', `name: a\nfoo: 1${step}`, /^2:1 there is no "foo" here$/],
    ['a key twice', 'name: a\nname: b', /^2:1 duplicate key$/],
    ['an unknown reference', `name: a${step.replace('x', '"{{No}}"')}`, /^3:56 \{\{No\}\} refers to nothing/],
    ['a wrong number', `name: a\nmaxParallel: many${step}`, /^2:14 maxParallel: Invalid input/],
    ['an open quote', 'name: "a', /^1:9 Missing closing/],
    ['an alias', 'name: &n a\ndescription: *n', /anchor.*\n.*alias/],
    ['a bomb of aliases', 'a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nd: [*c,*c]', /an anchor of YAML is not taken/],
    ['a tag', 'name: !!js/function "x"', /a tag of YAML is not taken/],
    ['two documents', 'name: a\n---\nname: b', /^2:1 a second document starts here$/],
    ['a nest of lists', '- '.repeat(100_000), /nested deeper than 40/],
    ['a nest of brackets', `name: ${'['.repeat(100_000)}`, /nested deeper than 40/],
    ['a long text', `name: ${'x'.repeat(3_000_000)}`, /longer than 2 MB/],
    ['too many steps', `name: a\nsteps:\n${'  - { name: A, action: wait }\n'.repeat(1_001)}`, /^2:1 steps: Too big/],
    ['a blank of nobody', `name: a\nobjective: "{{params.x}}"${step}`, /^2:12 .*no parameter x/],
    [
      'a default that is no choice',
      `name: a\nparameters: { p: { default: x, choices: [y] } }${step}`,
      /not one of the choices/,
    ],
  ])('%s', (_, text, said) => {
    expect(faults(text)).toMatch(said);
  });
});

describe('a template', () => {
  const text = `name: T
objective: 'On {{params.topic}}'
parameters:
  topic: { description: what }
  depth: { default: 3, choices: [1, 3] }
  deep: { default: true }
steps:
  - { name: A, action: wait, params: { minutes: '{{params.depth}}' } }
  - { name: B, action: llm_generate, params: { prompt: 'On {{params.topic}}: {{A}} \\{{x}}' } }
  - { name: C, action: command, params: { command: 'echo {{params.topic}} {{B}}' } }
  - name: D
    action: conditional
    params: { condition: '{{params.deep}} && {{params.depth}} == 3 && {{B}} != "{{params.topic}}"' }
`;
  const fill = (parameters: Parameters<typeof fillTemplate>[1]) => fillTemplate(templateOf(text), parameters);
  const paramsOf = (definition: TaskDefinition): readonly unknown[] => definition.steps.map(({ params }) => params);

  it('is filled in with values of their kind', () => {
    const made = fill({ topic: "it's", depth: '1', deep: false });
    expect(made.objective).toBe("On it's");
    expect(paramsOf(made)).toEqual([
      { minutes: 1 },
      { prompt: "On it's: {{A}} \\{{x}}" },
      { command: "echo 'it'\\''s' {{B}}" },
      { condition: 'false && (1) == 3 && {{B}} != "it\\\'s"' },
    ]);
    expect(problemSentences(made.steps, { nowMs: START_MS, actions: [] })).toEqual([]);
  });

  it('is refused with all that is wrong with its parameters', () => {
    expect(() => fill({ depth: 2, deep: 'perhaps', other: 1 })).toThrow(
      expect.objectContaining({
        code: 'INVALID_INPUT',
        message:
          'there is no parameter other; the parameter topic is missing; params.depth is one of 1, 3; params.deep is a boolean',
      }),
    );
  });

  it('takes no value for a reference, whatever it says', () => {
    const hostile = fc.array(
      fc.constantFrom('{{A}}', '{{params.depth}}', '\\', '"', "'", '{{', '}}', ' || true', '$(x)', 'a'),
    );
    fc.assert(
      fc.property(hostile, (parts) => {
        const made = fill({ topic: parts.join('') });
        expect(problemSentences(made.steps, { nowMs: START_MS, actions: [] })).toEqual([]);
      }),
      { numRuns: amount({ short: 30, long: 5_000 }) },
    );
  });

  it('of the user hides a built-in one, and neither is hidden by one of the workspace', async () => {
    const named = (name: string) => `name: T\ndescription: ${name}${step}`;
    const folders = [
      folder({ mine: named('theirs'), 'codebase-tour': named('no tour'), 'Bad Name': named('x'), more: named('x') }),
      folder({ mine: named('ours'), 'release-notes': named('own') }, 'user'),
      BUILT_IN,
    ];
    const listed = await listTemplates(folders, START_MS);
    expect(listed.map(({ name, origin }) => `${name} ${origin}`)).toEqual([
      'codebase-tour built-in',
      'dependency-audit built-in',
      'mine user',
      'more workspace',
      'release-notes user',
      'research-report built-in',
    ]);
    expect(await templateText(folders, 'mine')).toContain('ours');
    expect(await templateText(folders, 'codebase-tour')).not.toContain('no tour');
    await expect(madeDefinition(folders, { template: '../mine' }, START_MS)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const damaged = [folder({ mine: 'name: [' })];
    await expect(madeDefinition(damaged, { template: 'mine' }, START_MS)).rejects.toThrow(
      /\/t\/mine.yaml.*line 1, column/,
    );
  });

  it.each(['gates: []', 'budgetUsd: 5000'])('of the workspace grants no %s', async (said) => {
    const text = `name: T\nsteps:\n  - { name: A, action: run_brief, params: { brief: x, ${said} } }\n`;
    const made = (origin: TemplateFolder['origin']) =>
      madeDefinition([folder({ mine: text }, origin)], { template: 'mine' }, START_MS);
    await expect(made('workspace')).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
    expect(effectsOf(await made('user')).grants).toEqual([`A: ${said}`]);
  });

  it('is kept under a plain name, and replaces another one only where it is said', async () => {
    const definition = taskSchema.parse({ name: 'T', steps: [] });
    const taken = { keep: async (name: string, _: string, replace: boolean) => (replace ? `/t/${name}.yaml` : null) };
    expect(await keepTemplate([], taken, definition, { name: 'mine', replace: true })).toBe('/t/mine.yaml');
    await expect(keepTemplate([], taken, definition, { name: 'mine', replace: false })).rejects.toThrow(/already/);
    await expect(keepTemplate([], taken, definition, { name: '../x', replace: true })).rejects.toThrow(
      /cannot be called/,
    );
    const yours = [folder({ mine: 'name: T' }, 'user'), BUILT_IN];
    for (const name of ['mine', 'codebase-tour']) {
      await expect(keepTemplate(yours, taken, definition, { name, replace: true })).rejects.toThrow(/would hide it/);
    }
  });
});

describe('a task as text', () => {
  const words = fc
    .array(fc.constantFrom('a', ' ', '\n', ': ', '- ', '#', '{{A}}', '"', '|', '&x', '*x', 'ü', '\t', '%'))
    .map((all) => all.join(''));
  const json = fc.oneof(words, fc.integer(), fc.boolean(), fc.constant(null), fc.array(words, { maxLength: 3 }));

  it('reads as it was written, whatever it holds', () => {
    fc.assert(
      fc.property(
        words,
        fc.dictionary(fc.constantFrom('p', 'q: r', '#'), json),
        fc.nat(100),
        (description, params, minutes) => {
          const definition = taskSchema.parse({
            name: 'T',
            description,
            estimatedDurationMinutes: minutes + 1,
            steps: [
              { name: 'S', action: 'acme.tools/x', params, needs: [], isCheckpoint: true, output: { type: 'string' } },
            ],
          });
          expect(read(writeTaskText(definition)).task).toEqual({ ...definition, parameters: {} });
        },
      ),
      { numRuns: amount({ short: 40, long: 5_000 }) },
    );
  });

  it('says only what is not as it would be anyway', () => {
    const definition = taskSchema.parse({ name: 'T', steps: [{ name: 'S', action: 'wait', params: { minutes: 1 } }] });
    expect(writeTaskText(definition)).toBe(
      'name: T\nsteps:\n  - name: S\n    action: wait\n    params:\n      minutes: 1\n',
    );
  });
});

describe('a built-in template', () => {
  it.each([
    ['research-report', { topic: 'competitors in the AI space' }, { commands: 0, hosts: [], briefs: 0 }],
    ['release-notes', {}, { commands: 2, hosts: [], briefs: 0 }],
    ['dependency-audit', {}, { commands: 1, hosts: ['package registries'], briefs: 1 }],
    ['codebase-tour', {}, { commands: 3, hosts: [], briefs: 0 }],
  ])('%s can be started as it is, and says what it does', async (template, parameters, effects) => {
    const made = await madeDefinition([BUILT_IN], { template, parameters }, START_MS);
    expect(problemSentences(made.steps, { nowMs: START_MS, actions: [] })).toEqual([]);
    expect(made.steps.some(({ isCheckpoint }) => isCheckpoint)).toBe(true);
    expect(JSON.stringify(made)).not.toContain('{{params.');
    const { commands, hosts, briefs } = effectsOf(made);
    expect({ commands: commands.length, hosts, briefs: briefs.length }).toEqual(effects);
  });

  it('updates no dependency where nothing was found', async () => {
    const { steps } = await madeDefinition([BUILT_IN], { template: 'dependency-audit' }, START_MS);
    const task = playedTask(steps);
    task.start();
    for (const [name, result] of [
      ['Findings', 'none'],
      ['Weigh', { count: 0 }],
      ['Something to do', false],
    ] as const) {
      task.begin(name);
      task.complete(name, result);
      const due = need(task.state, 'tasks', task.taskId).steps.find(
        (id) => need(task.state, 'task_steps', id).checkpoint === 'due',
      );
      if (due === undefined) continue;
      const told = { summary: '', session: null, message: null };
      task.commit({ type: 'task_checkpointed', task_id: task.taskId, step_id: due, ...told });
    }
    const row = need(task.state, 'tasks', task.taskId);
    const next = nextSteps(row, taskSteps(task.state, row), START_MS);
    expect(next.skip.map(({ name }) => name)).toEqual(['Ask', 'Update']);
    expect(next.start.map(({ name }) => name)).toEqual(['All well']);
  });
});
