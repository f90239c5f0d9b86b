import { describe, expect, test } from 'vitest';
import { type Call, commandsOf, type Scenario } from '../../../../src/adapters/simulated/scenario.ts';
import { loadScenario } from '../../../../src/app/assets/scenarios.ts';
import { roleTools } from '../../../../src/engine/session/tools/roleTools.ts';
import { planSchema, reportSchema } from '../../../../src/shared/job/plan.ts';
import { MAIN_TOOLS, type MainToolName } from '../../../../src/shared/workspace/mainTools.ts';

const demo = await loadScenario('demo');
const generic = await loadScenario(null);
const projects = await loadScenario('projects');
const NOTES = [['ls', 'simulated-notes']];
const PROGRAM = [
  ['node', '--test'],
  ['node', 'bin/sheet.js', 'examples/budget.csv'],
  ['node', 'bin/sheet.js', 'examples/prices.csv', '--format', 'markdown'],
];

const attemptsOf = ({ features, otherwise }: Scenario) =>
  [...Object.values(features), ...(otherwise.feature ? [otherwise.feature] : [])].flatMap((script) => script.attempts);
const workerCalls = (scenario: Scenario) =>
  attemptsOf(scenario).flatMap(({ turns }) => turns.flatMap(({ calls }) => calls));

/** The input against the JSON schema that the tool shows to a model, as far as required and known names go. */
function fits({ tool, input }: Call, role: 'worker' | 'reviewer' | 'planner' | 'project'): boolean {
  const schema = roleTools(role).find(({ definition }) => definition.name === tool)?.definition.input_schema;
  const known = Object.keys(schema?.properties ?? {});
  const required = schema?.required ?? [];
  return (
    schema !== undefined &&
    required.every((key) => key in input) &&
    Object.keys(input).every((key) => known.includes(key))
  );
}

describe.each([
  ['demo', demo, PROGRAM],
  ['generic', generic, NOTES],
  ['projects', projects, NOTES],
] as const)('the %s scenario', (_, scenario, allowed) => {
  test('calls only tools that the role has, with inputs that they take', () => {
    expect(workerCalls(scenario).filter((call) => !fits(call, 'worker'))).toEqual([]);
    const phases = [...Object.values(scenario.phases), ...(scenario.otherwise.phase ? [scenario.otherwise.phase] : [])];
    const looks = phases.flatMap(({ reviews }) => reviews.flatMap(({ turns }) => turns.flatMap(({ calls }) => calls)));
    expect(looks.filter((call) => !fits(call, 'reviewer'))).toEqual([]);
    const plans = scenario.planning.flatMap(({ turns }) => turns.flatMap(({ calls }) => calls));
    expect(plans.filter((call) => !fits(call, 'planner'))).toEqual([]);
  });

  test('ends every attempt with a report, alone in its turn', () => {
    for (const { turns } of attemptsOf(scenario)) {
      const last = turns.at(-1)?.calls ?? [];
      expect(last.map(({ tool }) => tool)).toEqual(['report']);
      expect(reportSchema.safeParse(last[0]?.input).success).toBe(true);
      expect(turns.slice(0, -1).flatMap(({ calls }) => calls.filter(({ tool }) => tool === 'report'))).toEqual([]);
    }
  });

  test('verifies with and runs these commands alone, which are allowed without a sandbox', () => {
    expect(commandsOf(scenario)).toEqual(allowed);
  });

  test('never edits a file twice in one turn', () => {
    for (const { turns } of attemptsOf(scenario)) {
      for (const { calls } of turns) {
        const files = calls
          .filter(({ tool }) => tool === 'write' || tool === 'edit')
          .map(({ input }) => input['file_path']);
        expect(new Set(files).size).toBe(files.length);
      }
    }
  });
});

describe('the demo', () => {
  const features = demo.plan.phases.flatMap((phase) => phase.features);

  test('has at least 3 phases and 8 features, each with a script, and dependencies on earlier ones only', () => {
    expect(demo.plan.phases.length).toBeGreaterThanOrEqual(3);
    expect(features.length).toBeGreaterThanOrEqual(8);
    expect(Object.keys(demo.features).sort()).toEqual(features.map(({ name }) => name).sort());
    expect(Object.keys(demo.phases)).toEqual(demo.plan.phases.map(({ title }) => title));
    expect(features.filter(({ depends_on }) => depends_on.length > 0).length).toBeGreaterThan(2);
    features.forEach(({ depends_on }, at) => {
      for (const name of depends_on) expect(features.slice(0, at).map((feature) => feature.name)).toContain(name);
    });
  });

  test('is rejected once, naming a feature, and approved in the end', () => {
    const verdicts = demo.plan.phases.map(({ title }) =>
      demo.phases[title]?.reviews.map(({ verdict }) => verdict?.verdict),
    );
    expect(verdicts).toEqual([['APPROVED'], ['REJECTED', 'APPROVED'], ['APPROVED']]);
    const rejection = demo.phases['Sheets']?.reviews[0]?.verdict;
    expect(rejection?.reopen).toEqual(['Recalculation']);
    expect(rejection?.feedback).not.toBe('');
  });

  test('notes at every scope, one of them beside a line', () => {
    const notes = workerCalls(demo).filter(({ tool }) => tool === 'note');
    expect(new Set(notes.map(({ input }) => input['scope']))).toEqual(new Set(['feature', 'category', 'global']));
    const [anchored] = notes.filter(({ input }) => input['file'] !== undefined);
    const parser = workerCalls(demo).findLast(
      ({ tool, input }) => tool === 'write' && input['file_path'] === anchored?.input['file'],
    );
    const line = String(parser?.input['content']).split('\n')[Number(anchored?.input['line']) - 1];
    expect(line).toContain('becomes the left side');
  });
});

test('the generic plan is small, and passes the schema of a plan that a model submits', () => {
  expect(planSchema.parse(generic.plan)).toEqual(generic.plan);
  expect(generic.plan.phases.map(({ features }) => features.length)).toEqual([2, 2]);
});

describe('the projects', () => {
  const names = Object.keys(projects.projects);
  const repliesOf = (name: string) => projects.projects[name]?.replies ?? [];
  const callsOf = (name: string) => repliesOf(name).flatMap(({ turns }) => turns.flatMap(({ calls }) => calls));
  const said = (name: string) => callsOf(name).filter(({ tool }) => tool === 'notify');

  test('are all set up by the main agent, and each has a reply to the word that sets it to work', () => {
    const setUp = projects.main?.replies.find(({ when }) => when === 'set up')?.turns.flatMap(({ calls }) => calls);
    const inputs = (tool: string) => setUp?.filter((call) => call.tool === tool).map(({ input }) => input) ?? [];
    expect(inputs('create_project').map(({ name }) => name)).toEqual(names);
    expect(inputs('message_project').map(({ project }) => project)).toEqual(names);
    expect(setUp).toHaveLength(2 * names.length);
    for (const { project, text } of inputs('message_project')) {
      const fitting = repliesOf(String(project)).filter(({ when = '' }) => String(text).toLowerCase().includes(when));
      expect(fitting).toHaveLength(1);
    }
  });

  test('call only tools that they have, with inputs that these take, and end in words', () => {
    for (const name of names) {
      expect(callsOf(name).filter((call) => !fits(call, 'project'))).toEqual([]);
      for (const { turns } of repliesOf(name)) expect(turns.at(-1)?.calls).toEqual([]);
    }
    const main = projects.main?.replies.flatMap(({ turns }) => turns.flatMap(({ calls }) => calls)) ?? [];
    for (const { tool, input } of main) {
      expect(Object.hasOwn(MAIN_TOOLS, tool)).toBe(true);
      expect(MAIN_TOOLS[tool as MainToolName].input.safeParse(input).success).toBe(true);
    }
  });

  test('carry one finding to the one that it concerns, and name no other besides', () => {
    const [finding] = said('api-migration');
    expect(finding?.input['concerns']).toBe('frontend-redesign');
    const heard = repliesOf('frontend-redesign').find(({ when = '' }) => String(finding?.input['text']).includes(when));
    expect(heard?.when).toBe('breaking change');
    expect(heard?.turns.flatMap(({ calls }) => calls.map(({ tool }) => tool))).toEqual([
      'memory',
      'submit_brief',
      'notify',
    ]);
    const words = names.flatMap((name) => said(name).map(({ input }) => String(input['text'])));
    for (const name of names) expect(words.join(' ').split(/[^\w-]+/)).not.toContain(name);
  });

  test('use a skill and a subagent that has an answer', () => {
    expect(callsOf('docs').map(({ tool }) => tool)).toEqual(['use_skill', 'spawn_subagent', 'memory', 'notify']);
    const [skill, subagent] = callsOf('docs');
    expect(skill?.input).toEqual({ name: 'plain-words' });
    const task = String(subagent?.input['task']);
    expect(projects.subagents?.replies.some(({ when = '' }) => task.includes(when))).toBe(true);
  });
});
