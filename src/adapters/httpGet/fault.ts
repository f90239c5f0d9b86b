/** Why nothing was got: a sentence for a person. */
export class HttpFault extends Error {}
