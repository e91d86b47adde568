/** Sends and fetches course packs, which are files and therefore not procedures of the contract. */
import { PACK_EXPORT_PATH, PACK_IMPORT_PATH, PACK_PREVIEW_PATH, PackImport, PackPreview } from '@parley/contract';
import type { ContentKind } from '@parley/domain';
import { t } from '@parley/i18n';

export const packExportUrl = (content?: { kind: ContentKind; id: string }): string =>
  content === undefined ? PACK_EXPORT_PATH : `${PACK_EXPORT_PATH}?kind=${content.kind}&id=${content.id}`;

async function send(path: string, file: Blob): Promise<unknown> {
  const response = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/zip' }, body: file });
  if (response.status === 413) throw new Error(t('This file is too large. A pack may have 10 MB.'));
  if (response.status === 401 || response.status === 403) throw new Error(t('Sign in again, then repeat the import.'));
  if (!response.ok) throw new Error(t('The server could not read this file. Nothing was imported.'));
  return response.json();
}

export const previewPack = async (file: Blob): Promise<PackPreview> =>
  PackPreview.parse(await send(PACK_PREVIEW_PATH, file));
export const importPack = async (file: Blob, publish: boolean): Promise<PackImport> =>
  PackImport.parse(await send(`${PACK_IMPORT_PATH}?publish=${publish}`, file));
