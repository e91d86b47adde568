/** Sends and fetches course packs, which are files and therefore not procedures of the contract. */
import { PACK_EXPORT_PATH, PACK_IMPORT_PATH, PACK_PREVIEW_PATH, PackImport, PackPreview } from '@parley/contract';
import type { ContentKind } from '@parley/domain';
import { t } from '@parley/i18n';
import { SentenceError } from '../../foundation/api/error-sentence.ts';

/** A file to send, or the id of one that was uploaded. */
export type PackToImport = Blob | { upload: string };

export const packExportUrl = (content?: { kind: ContentKind; id: string }): string =>
  content === undefined ? PACK_EXPORT_PATH : `${PACK_EXPORT_PATH}?kind=${content.kind}&id=${content.id}`;

async function send(path: string, pack: PackToImport, query: Record<string, string> = {}): Promise<unknown> {
  const isSent = pack instanceof Blob;
  const asked = new URLSearchParams(isSent ? query : { ...query, upload: pack.upload });
  const response = await fetch(`${path}?${asked.toString()}`, {
    method: 'POST',
    ...(isSent && { headers: { 'content-type': 'application/zip' }, body: pack }),
  });
  if (response.status === 401 || response.status === 403)
    throw new SentenceError(t('Sign in again, then repeat the import.'));
  if (response.status === 507)
    throw new SentenceError(t('There’s no space for this pack. Ask the person who runs the server for more.'));
  if (!response.ok) throw new SentenceError(t('The server couldn’t read this file. Nothing was imported.'));
  return response.json();
}

export const previewPack = async (pack: PackToImport): Promise<PackPreview> =>
  PackPreview.parse(await send(PACK_PREVIEW_PATH, pack));
export const importPack = async (
  pack: PackToImport,
  { publish, seen }: { publish: boolean; seen: PackPreview['seen'] },
): Promise<PackImport> => PackImport.parse(await send(PACK_IMPORT_PATH, pack, { publish: String(publish), seen }));
