/** The reason of a failed request, as a sentence for a person. */
export class HttpFault extends Error {}
