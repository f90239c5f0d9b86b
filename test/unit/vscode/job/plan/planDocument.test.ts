import { describe, expect, it } from 'vitest';
import { planSchema } from '../../../../../src/shared/job/plan.ts';
import { planYaml, type ReadPlan, readPlan } from '../../../../../src/vscode/job/plan/planDocument.ts';
import { planFeature, planOf, planPhase } from '../../../../support/state/builders.ts';
import { amount } from '../../../../support/suite/proof.ts';
import { fc } from '../../../../support/suite/property.ts';

const plan = planOf({ Core: ['a', 'b'], Edges: ['c'] });
const text = planYaml(plan, '');

/** Each fault with the text that it underlines the beginning of. */
function faults(of: string): string[] {
  const read: ReadPlan = readPlan(of);
  if (read.outcome === 'plan') return [];
  const lines = of.split('\n');
  return read.faults.map(({ line, column, message }) => `${lines[line]?.slice(column)} | ${message}`);
}

describe('a plan as a document', () => {
  it('begins with a comment that 80 columns show whole', () => {
    const words = `Saving changes the plan.\n${'Keep the id when you reword or move them. '.repeat(6)}`;
    const lines = planYaml(plan, words).split('\n');
    const comment = lines.slice(0, lines.indexOf(''));
    expect(comment.every((line) => line.startsWith('# ') && line.length <= 80)).toBe(true);
    expect(comment.map((line) => line.slice(2)).join(' ')).toBe(words.replaceAll(/\s+/g, ' ').trim());
    expect(comment).toHaveLength(4);
  });

  it('reads back as it was written, whatever its texts hold', () => {
    const line = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }).filter((one) => one.trim() !== '');
    const block = fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(
        line,
        block,
        line,
        fc.option(fc.integer({ min: 1, max: 99 }), { nil: undefined }),
        (name, description, step, id) => {
          const feature = planFeature({
            name,
            description,
            testing_steps: [step],
            ...(id === undefined ? {} : { id }),
          });
          const written = planSchema.parse({ title: name, phases: [planPhase({ features: [feature] })] });
          const begun = new Map([[id ?? 0, 'completed']]);
          expect(readPlan(planYaml(written, 'Read me\nfirst', begun))).toEqual({ outcome: 'plan', plan: written });
        },
      ),
      { numRuns: amount({ short: 30, long: 5_000 }) },
    );
  });

  it('keeps what a plan carries beside its phases, and shows none of it in a plan without', () => {
    const more = { questions: ['Tabs?'], setup: ['npm install'], assumptions: ['Node only'], findings: 'See lib/.' };
    const features = [planFeature({ name: 'a', verify_commands: ['ls'] })];
    const carrying = planSchema.parse({ ...plan, ...more, phases: [planPhase({ features })] });
    const yaml = planYaml(carrying, '');
    expect(readPlan(yaml)).toEqual({ outcome: 'plan', plan: carrying });
    expect(yaml.indexOf('questions:')).toBeLessThan(yaml.indexOf('phases:'));
    expect(text).not.toMatch(/questions|setup|assumptions|findings/);
  });

  it('marks what is begun, and begins with what to know', () => {
    const begun = { ...plan, phases: [planPhase({ id: 1, features: [planFeature({ name: 'a', id: 7 })] })] };
    const yaml = planYaml(begun, 'Mind the ids.', new Map([[7, 'in_progress']]));
    expect(yaml).toMatch(/^# Mind the ids\.\n\ntitle:/);
    expect(yaml).toMatch(/id: 7 # in_progress\n/);
    expect(yaml).not.toMatch(/id: 1 #/);
  });

  it('says where it is not YAML', () => {
    expect(faults('title: [a')).toHaveLength(1);
    expect(faults('')).toHaveLength(1);
    expect(faults('- 1')).toHaveLength(1);
  });

  it('says where a field is missing, wrong or unknown', () => {
    const [wrong = ''] = faults(text.replace('category: core', 'category: ""'));
    expect(wrong).toMatch(/^"" \| phases\.0\.features\.0\.category: /);
    const [unknown = ''] = faults(text.replace('depends_on:', 'depend_on:'));
    expect(unknown).toContain('phases.0.features.0.depend_on: a plan has no such field');
  });

  it('says where a plan runs into itself', () => {
    expect(faults(text.replace('name: b', 'name: a'))[0]).toMatch(/^a \| two features are named "a"/);
    expect(faults(text.replace('title: Edges', 'title: Core'))[0]).toMatch(/^Core \| two phases are titled "Core"/);
    expect(faults(text.replace('depends_on: []', 'depends_on: [z]'))[0]).toMatch(/^a \| "a" depends on "z"/);
  });

  it('is no plan when aliases blow it up', () => {
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (let i = 0; i < 9; i++) {
      const to = String.fromCharCode(97 + i);
      const name = String.fromCharCode(98 + i);
      bomb.push(`${name}: &${name} [${Array(9).fill(`*${to}`).join(', ')}]`);
    }
    expect(faults(bomb.join('\n'))).not.toHaveLength(0);
  });
});
