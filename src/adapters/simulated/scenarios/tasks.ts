/**
 * The built-in scenario of long-running tasks: a market research in the manner of the first one ever written down, step by step. All
 * companies are made up.
 */
import type { ScenarioInput } from '../scenario.ts';
import { genericScenario } from './generic.ts';

const COMPANIES = [
  ['Aldertree Intelligence', 'language models for insurers', 'Oslo'],
  ['Bluefin Cognition', 'agents that answer support calls', 'Lisbon'],
  ['Cartographer Labs', "search over a company's own documents", 'Toronto'],
  ['Driftwood Robotics', 'picking and packing in warehouses', 'Osaka'],
  ['Emberline', 'code review and migration', 'Berlin'],
  ['Fathom & Field', 'forecasts for farmers', 'Nairobi'],
  ['Glasswing Bio', 'design of proteins', 'Basel'],
  ['Harbourlight', 'translation of law and contracts', 'Antwerp'],
  ['Inkwell Systems', 'drafting and checking of reports', 'Dublin'],
  ['Juniper Sky', 'small models for devices', 'Taipei'],
] as const;

const STRENGTHS = [
  'a long contract with a large customer',
  'fast to set up',
  'sources in every answer',
  'its own machines',
];

const LIST = COMPANIES.map(([name, what, where], index) => `${index + 1}. ${name} (${where}): ${what}`).join('\n');

const DETAILS = COMPANIES.slice(0, STRENGTHS.length)
  .map(
    ([name, what], index) =>
      `## ${name}\n- Product: ${what}\n- Price: from $${(index + 2) * 15} per person and month\n- Strength: ${STRENGTHS[index]}\n- Weakness: little is known outside its first market`,
  )
  .join('\n\n');

const ANALYSIS = `# Competitor analysis (simulated)

Ten companies were looked at; four of them closely. Two patterns stand out:

1. **Narrow beats broad.** Whoever sells to one trade (insurers, farmers, lawyers) can ask a higher price than who sells to all.
2. **Sources are the argument.** Customers ask where an answer comes from before they ask what it costs.

Cartographer Labs and Inkwell Systems come closest to what we do. Neither works through the night on its own: that is the gap.`;

const SUMMARY = `The task listed ten companies that build AI products, looked at four of them closely (product, price, strength, weakness), and compared them.

- Closest to us: Cartographer Labs and Inkwell Systems.
- Gap: none of them works on its own for hours and keeps to a budget.
- Open: prices come from one source each.

(Simulated: the companies are made up.)`;

export const tasksScenario: ScenarioInput = {
  ...genericScenario,
  title: 'Tasks: a market research',
  tasks: {
    replies: [
      // Summaries hold the prompts' results, so they are told apart first.
      { when: 'sum up the progress so far', text: SUMMARY },
      { when: 'sum up what the task achieved', text: SUMMARY },
      { when: 'for each competitor', text: DETAILS },
      { when: 'compare', text: ANALYSIS },
      { when: 'analysis', text: ANALYSIS },
      { when: 'top 10 ai companies', text: `Ten companies that build AI products (made up, simulated):\n\n${LIST}` },
      { when: 'competitors', text: `Ten companies that build AI products (made up, simulated):\n\n${LIST}` },
      { text: 'Done as asked (simulated): {{prompt}}' },
    ],
  },
};
