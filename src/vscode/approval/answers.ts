/** Approve and reject. Loaded with the first answer, so that a window that only shows questions starts without them. */
type Answers = typeof import('./approve.ts');

const answers = (): Promise<Answers> => import('./approve.ts');

export const approve: Answers['approve'] = async (...given) => (await answers()).approve(...given);
export const reject: Answers['reject'] = async (...given) => (await answers()).reject(...given);
