/** Import from a file: chooses an export, shows what it would add, and imports it. */
import { t } from '@parley/i18n';
import { IMPORT_CHUNK_BYTES, type ImportPreview, type ImportResult } from '@parley/contract';
import { joinSentences } from '@parley/domain';
import { Banner, Button, Dialog, MutedText, Row } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useRef, useState } from 'react';
import type { HostClient } from '../foundation/host/host-connection.ts';
import { useHost } from '../foundation/host/host-context.tsx';
import { ErrorBanner } from '../foundation/screen/screen.tsx';
import { formatDateTime } from '../foundation/sentences/format-date.ts';

interface ReadyImport {
  importId: string;
  preview: ImportPreview;
}

async function sendFile(client: HostClient, file: File, onSent: (share: number) => void): Promise<ReadyImport> {
  const { importId } = await client.import.begin();
  try {
    for (let offset = 0; offset < file.size; offset += IMPORT_CHUNK_BYTES) {
      const bytes = file.slice(offset, offset + IMPORT_CHUNK_BYTES);
      await client.import.append({ importId, offset, bytes: new Blob([bytes]) });
      onSent(Math.min(1, (offset + IMPORT_CHUNK_BYTES) / file.size));
    }
    return { importId, preview: await client.import.preview({ importId }) };
  } catch (error) {
    // The part that has already been sent takes up space, possibly on a disk that is now full.
    await client.import.cancel({ importId }).catch(() => undefined);
    throw error;
  }
}

const percent = (share: number): number => Math.round(share * 100);

export function ImportData(): ReactElement {
  const { client } = useHost();
  const input = useRef<HTMLInputElement>(null);
  const [sentShare, setSentShare] = useState(0);
  const [ready, setReady] = useState<ReadyImport | null>(null);
  const [imported, setImported] = useState<ImportResult | null>(null);
  const send = useMutation({
    mutationFn: (file: File) => sendFile(client, file, setSentShare),
    onSuccess: setReady,
  });
  const choose = (file: File | undefined): void => {
    setImported(null);
    setSentShare(0);
    if (file !== undefined) send.mutate(file);
  };
  const cancel = (): void => {
    if (ready !== null) void client.import.cancel({ importId: ready.importId });
    setReady(null);
  };
  return (
    <>
      <Row>
        <input
          ref={input}
          type="file"
          accept=".zip,application/zip"
          hidden
          aria-label={t('Import from a file')}
          onChange={({ currentTarget }) => {
            choose(currentTarget.files?.[0]);
            // Reset, so that the same file can be chosen again.
            currentTarget.value = '';
          }}
        />
        <Button onPress={() => input.current?.click()} isDisabled={send.isPending}>
          {send.isPending ? t('Reading, {share}%', { share: percent(sentShare) }) : t('Import from a file')}
        </Button>
        <MutedText small>
          {t('Import a file that you exported on another computer. You’ll see what’s in it before anything changes.')}
        </MutedText>
      </Row>
      {send.isError && <ErrorBanner error={send.error} />}
      {imported !== null && <Banner>{importedSentence(imported)}</Banner>}
      {ready !== null && (
        <Dialog title={t('Import this file?')} isOpen onClose={cancel}>
          <ConfirmImport
            ready={ready}
            onCancel={cancel}
            onImported={(result) => {
              setReady(null);
              setImported(result);
            }}
          />
        </Dialog>
      )}
    </>
  );
}

const PROGRESS_INTERVAL_MS = 400;

export function ConfirmImport(props: {
  ready: ReadyImport;
  onCancel: () => void;
  onImported: (result: ImportResult) => void;
}): ReactElement {
  const { client, queries } = useHost();
  const { importId, preview } = props.ready;
  const apply = useMutation({ mutationFn: () => client.import.apply({ importId }), onSuccess: props.onImported });
  const copied = useQuery(
    queries.import.progress.queryOptions({
      input: { importId },
      enabled: apply.isPending,
      refetchInterval: PROGRESS_INTERVAL_MS,
      retry: false,
    }),
  ).data;
  return (
    <>
      <ImportSummary preview={preview} />
      {apply.isError && <ErrorBanner error={apply.error} />}
      {apply.isPending && (
        <p role="status">
          {copied === undefined || copied.total === 0
            ? t('Importing…')
            : t('Importing recordings: {done} of {total}', { done: copied.done, total: copied.total })}
        </p>
      )}
      <Row>
        <Button variant="primary" onPress={() => apply.mutate()} isDisabled={apply.isPending || !hasNews(preview)}>
          {t('Import')}
        </Button>
        <Button onPress={props.onCancel} isDisabled={apply.isPending}>
          {t('Cancel')}
        </Button>
      </Row>
    </>
  );
}

const hasNews = ({ practices, words, recordings, others }: ImportPreview): boolean =>
  [practices, words, recordings, others].some(({ toImport }) => toImport > 0);

/** The contents of the file, and how much of it is not here yet. */
export function ImportSummary({ preview }: { preview: ImportPreview }): ReactElement {
  const { exportedAt, email, isComplete, practices, deletedHere, words, unusableWords, recordings } = preview;
  return (
    <>
      <MutedText>
        {email === null
          ? t('Exported on {date}, without an account.', { date: formatDateTime(exportedAt.toISOString()) })
          : t('Exported on {date} by {email}.', { date: formatDateTime(exportedAt.toISOString()), email })}
      </MutedText>
      {!isComplete && (
        <MutedText>
          {t('Some sessions aren’t in this file, because they couldn’t be downloaded when it was exported.')}
        </MutedText>
      )}
      {deletedHere > 0 && (
        <p>
          {t(
            '{count, plural, one {# practice was deleted here and stays deleted.} other {# practices were deleted here and stay deleted.}}',
            { count: deletedHere },
          )}
        </p>
      )}
      {unusableWords > 0 && (
        <p>
          {t(
            '{count, plural, one {# word is left out, because the file doesn’t say which word it was, or when you said it.} other {# words are left out, because the file doesn’t say which words they were, or when you said them.}}',
            { count: unusableWords },
          )}
        </p>
      )}
      {hasNews(preview) ? (
        <>
          <ul>
            <li>{t('Practices: {toImport} of {inFile} are new or newer', { ...practices })}</li>
            <li>{t('Words you said: {toImport} of {inFile} are new', { ...words })}</li>
            <li>{t('Recordings: {toImport} of {inFile} are new', { ...recordings })}</li>
          </ul>
          <MutedText small>{t('Anything newer on this computer stays as it is.')}</MutedText>
        </>
      ) : (
        <p>
          {deletedHere === 0
            ? t('Everything in this file is already here.')
            : t('Everything else in this file is already here.')}
        </p>
      )}
    </>
  );
}

export function importedSentence({ practices, words, recordings, damagedRecordings }: ImportResult): string {
  const done = t(
    'Imported {practices, plural, one {# practice} other {# practices}}, {words, plural, one {# word} other {# words}} and {recordings, plural, one {# recording} other {# recordings}}.',
    {
      practices,
      words,
      recordings,
    },
  );
  return damagedRecordings === 0
    ? done
    : joinSentences(t, [
        done,
        t(
          '{damaged, plural, one {# recording is damaged in the file and couldn’t be imported. Its score and words are here.} other {# recordings are damaged in the file and couldn’t be imported. Their scores and words are here.}}',
          { damaged: damagedRecordings },
        ),
      ]);
}
