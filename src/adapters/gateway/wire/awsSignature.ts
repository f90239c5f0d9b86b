/** Signature Version 4 of AWS. Loaded only by a connection that signs. */
import { AwsV4Signer } from 'aws4fetch';
import type { AwsCredentials, AwsService } from '../../../core/model/connection/awsCredentials.ts';

export interface SignedRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** The headers that sign the request. */
export async function signatureOf(
  { url, method, headers, body }: SignedRequest,
  { AccessKeyId, SecretAccessKey, SessionToken }: AwsCredentials,
  { service, region }: AwsService,
): Promise<Readonly<Record<string, string>>> {
  const signer = new AwsV4Signer({
    url,
    method,
    headers: { ...headers },
    body,
    accessKeyId: AccessKeyId,
    secretAccessKey: SecretAccessKey,
    ...(SessionToken == null ? {} : { sessionToken: SessionToken }),
    service,
    region,
  });
  const signed = await signer.sign();
  return Object.fromEntries(signed.headers);
}
