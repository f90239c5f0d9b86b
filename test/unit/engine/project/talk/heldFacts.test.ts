/** Which standing facts a history holds as they are now. */
import { expect, it } from 'vitest';
import { isHeld } from '../../../../../src/engine/project/talk/heldFacts.ts';
import type { Message } from '../../../../../src/engine/session/transcript/messages.ts';

const TURN = '[project api message 1]\nThe steward, 2030-01-01:\nHello.';
const OTHERS = '# Other projects that take messages';

const given = (...texts: readonly string[]): Message => ({
  role: 'user',
  content: texts.map((text) => ({ type: 'text', text })),
});
const held = (fact: string, ...messages: readonly Message[]) => isHeld({ messages }, fact);

it('is held if the newest text with its heading states it whole', () => {
  const [web, docs] = [`${OTHERS}\nweb`, `${OTHERS}\ndocs`];
  expect(held(web, given(`It is Monday.\n\n${web}\n\n# More\nx`, TURN))).toBe(true);
  expect(held(web, given(`It is Monday.\n\n${web}, docs`, TURN))).toBe(false);
  expect(held(web, given(web, TURN), given(docs, TURN))).toBe(false);
  expect(held(web, given(docs, TURN), given(web, TURN), given('It is Tuesday.', TURN))).toBe(true);
  expect(held(web, given('[The older part of this conversation, summed up]\nNo.', web, TURN))).toBe(true);
  expect(held('')).toBe(true);
});

it('is not held by the words of a message, of a summary or of a reply', () => {
  const web = `${OTHERS}\nweb`;
  expect(held(web, given('It is Monday.', `${TURN}\n\n${web}`))).toBe(false);
  expect(held(web, given(`[The older part of this conversation, summed up]\n${web}`, 'It is Monday.', TURN))).toBe(
    false,
  );
  expect(held(web, { ...given(web, TURN), role: 'assistant' })).toBe(false);
});
