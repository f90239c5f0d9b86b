/** Of the crash scenario as much as shows what was lost or done twice: a feature whose first attempt fails, and its review. */
import { checkScenario, type Scenario } from '../../../src/adapters/simulated/scenario.ts';
import { crashScenario } from '../crash/crashScenario.ts';

function small(): Scenario {
  const { plan, features, phases } = crashScenario;
  const [first] = plan.phases;
  const { One } = features;
  const reviews = phases[first?.title ?? '']?.reviews.slice(-1);
  if (first === undefined || One === undefined || reviews === undefined)
    throw new Error('the crash scenario has changed');
  return checkScenario(
    {
      ...crashScenario,
      plan: { ...plan, phases: [{ ...first, features: first.features.slice(0, 1) }] },
      features: { One },
      phases: { [first.title]: { ...phases[first.title], reviews } },
    },
    'the small job',
  );
}

export const smallScenario = small();
