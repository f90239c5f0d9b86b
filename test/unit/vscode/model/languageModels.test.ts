import { expect, it } from 'vitest';
import { findModel, nameOfModel } from '../../../../src/vscode/model/models.ts';

const MODELS = [
  { vendor: 'copilot', id: 'one', family: 'small' },
  { vendor: 'other', id: 'one', family: 'large' },
  { vendor: 'other', id: 'two', family: 'one' },
];
const editor = { lm: { selectChatModels: async () => MODELS } } as unknown as Parameters<typeof findModel>[0];

it.each([
  ['other/one', 1],
  ['one', 0],
  ['large', 1],
  ['two', 2],
])('%s means one model', async (name, at) => {
  expect(await findModel(editor, name)).toBe(MODELS[at]);
});

it('no other answers for a model that is not there', async () => {
  expect(await findModel(editor, 'three')).toBeNull();
});

it('every model is found by its own name', async () => {
  for (const model of MODELS) expect(await findModel(editor, nameOfModel(model))).toBe(model);
});
