/** Checks for `doctor` that the server's key can use the bucket. */
import type { Config } from '../../compose/config/config.ts';
import { connectBucket } from '../../compose/connect-storage.ts';
import { findStorageTrouble } from '../../ports/storage/find-storage-trouble.ts';
import type { Finding } from '../command.ts';

export async function checkBucket({ s3 }: Pick<Config['media'], 's3'>): Promise<Finding[]> {
  if (s3 === null) return [];
  const name = 'bucket';
  const reason = await findStorageTrouble(await connectBucket(s3));
  if (reason === null) return [{ name, isGood: true, text: `${s3.bucket} can be read and written` }];
  return [
    {
      name,
      isGood: false,
      text: reason.includes('RequestTimeTooSkewed')
        ? `${s3.bucket} cannot be used (${reason}): set this server's clock, and run NTP.`
        : `${s3.bucket} cannot be used (${reason}): correct S3_BUCKET, S3_ENDPOINT or the key.`,
    },
  ];
}
