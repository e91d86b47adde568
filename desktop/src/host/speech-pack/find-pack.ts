/** Reads the description of a speech pack from the learner's own server or from an address that they typed. */
import { checkServerAddress, type SpeechPackOffer } from '@parley/contract';
import { ok } from '@parley/domain';
import {
  MANIFEST_NAME,
  MAX_MANIFEST_BYTES,
  packBytes,
  packHash,
  parseManifest,
  type SpeechPackManifest,
} from '@parley/speech-pack';
import { type HostResult, failed } from '../result/index.ts';
import { toFailure } from '../server/index.ts';

export interface FoundPack {
  /** Address of the manifest; the files are next to it. */
  address: string;
  manifest: SpeechPackManifest;
}

/** Where a school's server offers its pack. */
const SERVER_FOLDER = '/downloads/speech-pack/';
const TIMEOUT_MS = 20_000;

export const describePack = (manifest: SpeechPackManifest): Omit<SpeechPackOffer, 'address'> => ({
  name: manifest.name,
  licence: manifest.licence,
  source: manifest.source,
  totalBytes: packBytes(manifest),
  hash: packHash(manifest),
});

export function manifestAddress(typed: string | null, serverUrl: string | null): HostResult<string> {
  if (typed === null)
    return serverUrl === null
      ? failed('sync.offline')
      : ok(new URL(`${SERVER_FOLDER}${MANIFEST_NAME}`, serverUrl).href);
  const trimmed = typed.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  const problem = checkServerAddress(url === null ? null : URL.parse(url.origin));
  if (problem === 'not_secure') return failed('server.not_secure');
  if (url === null || problem !== null || url.username !== '' || url.password !== '')
    return failed('server.address_invalid');
  if (!url.pathname.endsWith('.json')) url.pathname = `${url.pathname.replace(/\/$/, '')}/${MANIFEST_NAME}`;
  return ok(url.href);
}

/**
 * Fails with `speech_pack.not_found` when the response is not a manifest, and with `sync.offline` when there is none.
 */
export async function findPack(address: string, signal: AbortSignal): Promise<HostResult<FoundPack>> {
  try {
    const response = await fetch(address, { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) });
    if (checkServerAddress(URL.parse(response.url)) === 'not_secure') return failed('server.not_secure');
    const text = response.ok ? await readBounded(response) : null;
    const manifest = text === null ? null : parseManifest(text);
    return manifest === null ? failed('speech_pack.not_found') : ok({ address, manifest });
  } catch (error) {
    return { ok: false, error: toFailure(error) };
  }
}

/** Null when the response is longer than any manifest. */
async function readBounded({ body }: Response): Promise<string | null> {
  if (body === null) return null;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_MANIFEST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
