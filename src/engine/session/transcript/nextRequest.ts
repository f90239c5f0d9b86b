/** Computes the request of a conversation that receives another assignment. */
import { economyOf } from '../economy.ts';
import type { TranscriptEntry } from '../ports.ts';
import { type RequestBody, requestBody } from '../request.ts';
import { toolDefinitions } from '../tools/roleTools.ts';
import { addEntry, foldTranscript, givenTexts } from './history.ts';

/** `next` returns the text for a conversation that was given these. Null if there is no conversation, or a fresh one costs less. */
export function nextRequest(
  entries: readonly TranscriptEntry[],
  next: (texts: readonly string[]) => string,
): RequestBody | null {
  const conversation = foldTranscript(entries);
  const { spec, use } = conversation;
  if (spec === null || !economyOf().isCheaperToContinue(conversation)) return null;
  const { messages } = addEntry(conversation, { kind: 'user', text: next(givenTexts(entries)) });
  return requestBody(spec, toolDefinitions(spec), messages, use);
}
