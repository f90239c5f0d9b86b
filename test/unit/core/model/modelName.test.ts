import { expect, it } from 'vitest';
import { isSameModel, rowName, serversName, splitModel } from '../../../../src/core/model/modelName.ts';

it.each([
  ['claude-opus-5-5', 'anthropic', 'anthropic', 'claude-opus-5-5'],
  ['ollama/qwen3:8b', 'anthropic', 'ollama', 'qwen3:8b'],
  ['openrouter/qwen/qwen3-coder', 'anthropic', 'openrouter', 'qwen/qwen3-coder'],
  ['copilot/gpt-5', 'vscode-lm', 'vscode-lm', 'copilot/gpt-5'],
  ['ollama/qwen3', 'simulated', 'simulated', 'ollama/qwen3'],
] as const)('%s of %s is answered by %s', (name, provider, connection, model) => {
  expect(splitModel(name, provider)).toEqual({ connection, model });
});

it('a model of Anthropic has one name in the rows', () => {
  expect(rowName('anthropic/claude-opus-5-5', 'anthropic')).toBe('claude-opus-5-5');
  expect(rowName('openrouter/anthropic/claude-opus-5', 'anthropic')).toBe('openrouter/anthropic/claude-opus-5');
  expect(serversName('openrouter', 'openrouter/anthropic/claude-opus-5')).toBe('anthropic/claude-opus-5');
});

it.each([
  ['claude-sonnet-4-5', 'claude-sonnet-4-5-20250929', true],
  ['anthropic/claude-sonnet-4.5', 'anthropic/claude-4.5-sonnet-20250929', true],
  ['qwen3', 'qwen3:latest', true],
  ['gpt-5.1', 'gpt-5.1-2025-11-13', true],
  ['grok-4', 'grok-4-0709', true],
  ['us.anthropic.claude-opus-5-5', 'claude-opus-5-5', true],
  ['global.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5-20250929', true],
  ['claude-opus-4-5@20251101', 'claude-opus-4-5-20251101', true],
  ['us.anthropic.claude-opus-5-5', 'claude-opus-5', false],
  ['gpt-5.1', 'gpt-5-2025-08-07', false],
  ['claude-opus-5', 'claude-opus-5-5', false],
  ['claude-opus-5-5', 'claude-opus-5', false],
  ['gpt-5', 'gpt-5-mini', false],
])('%s answered as %s is the same: %s', (asked, answered, isSame) => {
  expect(isSameModel(asked, answered)).toBe(isSame);
});
