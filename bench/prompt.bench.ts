/** What every session of a role sends before it has anything to say: system and tools, in tokens of four characters. */
import { firstRequest } from '../src/engine/session/request.ts';
import { type PromptedRole, sessionSpec } from '../src/engine/session/spec.ts';
import { toolDefinitions } from '../src/engine/session/tools/roleTools.ts';
import { show } from './table.ts';

const CHARACTERS_PER_TOKEN = 4;
const TARGET = 2_400;
const ROLES: readonly PromptedRole[] = ['worker', 'planner', 'reviewer', 'summarizer'];

const tokens = (value: unknown): number => Math.round(JSON.stringify(value ?? []).length / CHARACTERS_PER_TOKEN);

show(
  'Fixed prompt of a session (characters / 4)',
  ['role', 'system', 'tools', 'both', 'target', ''],
  ROLES.map((role) => {
    const { system, tools } = firstRequest(sessionSpec(role, { model: 'm', opening: '-' }), toolDefinitions({ role }));
    const both = tokens(system) + tokens(tools);
    const judged = role === 'worker' ? [`<= ${TARGET}`, both <= TARGET ? 'met' : 'MISSED'] : ['', ''];
    return [role, tokens(system), tokens(tools), both, ...judged];
  }),
);
