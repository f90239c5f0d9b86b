/** Mistyped names, and what helps a person who typed one. */
import { expect, it } from 'vitest';
import { connectionHint } from '../../../../src/core/model/connection/connectionHint.ts';
import { nearestName } from '../../../../src/core/text/nearest/nearestName.ts';

it.each([
  ['olama', 'ollama'],
  ['gatway', 'gateway'],
  ['Openruter', 'openrouter'],
  ['qwen3', null],
  ['', null],
])('%s: %s', (typed, meant) => {
  expect(nearestName(typed, ['ollama', 'gateway', 'openrouter', 'openai'])).toBe(meant);
});

it.each([
  ['anthropic', 'autonomous doctor'],
  ['ollama', 'Add it: autonomous models add ollama'],
  ['olama', 'Did you mean ollama? Add it: autonomous models add ollama'],
  ['team', 'Did you mean team1?'],
  ['qwen3', 'A model is named CONNECTION/MODEL'],
])('a connection %s that does not exist: %s', (name, words) => {
  const hint = connectionHint(name, { connections: ['team1'], presets: ['ollama', 'gateway'] });
  expect(hint).toContain(words);
});
