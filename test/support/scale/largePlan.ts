import type { Plan } from '../../../src/shared/job/plan.ts';

const PER_PHASE = 10;

/** So many features, ten a phase, each as long as a planner's are. */
export const largePlan = (features: number): Plan => ({
  title: 'Much',
  phases: Array.from({ length: features / PER_PHASE }, (_, phase) => ({
    title: `Phase ${phase}`,
    objective: 'Write files.',
    acceptance_criteria: ['The files are there.'],
    verify_commands: ['true'],
    features: Array.from({ length: PER_PHASE }, (__, at) => ({
      name: `Feature ${phase}-${at}`,
      description: 'Write a file that says what it is, and a test that reads it.',
      category: `category ${phase % 7}`,
      testing_steps: ['The file is there', 'The test passes'],
      depends_on: [],
    })),
  })),
});
