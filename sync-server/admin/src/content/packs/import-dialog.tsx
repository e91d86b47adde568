/** Imports a course pack: shows what would change, and then asks for confirmation. */
import { formatList, t } from '@parley/i18n';
import type { PackPreview } from '@parley/contract';
import { explanationText, joinSentences } from '@parley/domain';
import { Banner, Button, Dialog, Switch } from '@parley/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { KINDS } from '../kinds.ts';
import { errorSentence } from '../../foundation/api/error-sentence.ts';
import { placeNames } from '../../foundation/screen/place-name.ts';
import { UploadProgress } from '../video/upload-progress.tsx';
import { importPack, type PackToImport, previewPack } from './pack-client.ts';
import { usePackUpload } from './use-pack-upload.ts';
import css from '../content.module.css';

const CHANGE_NAMES = { new: t('new'), changed: t('changed'), same: t('unchanged') } as const;

export function ImportDialog({ onClose }: { onClose: () => void }): ReactElement {
  const queryClient = useQueryClient();
  const [pack, setPack] = useState<PackToImport | null>(null);
  const [publish, setPublish] = useState(false);
  const preview = useMutation({ mutationFn: previewPack });
  const run = useMutation({
    mutationFn: ({ chosen, seen }: { chosen: PackToImport; seen: string }) => importPack(chosen, { publish, seen }),
    onSuccess: ({ status }, { chosen }) => {
      // The dialog shows what the import would change now, before anything is overwritten.
      if (status === 'outdated') preview.mutate(chosen);
      return queryClient.invalidateQueries();
    },
  });
  const upload = usePackUpload((arrived) => {
    setPack(arrived);
    preview.mutate(arrived);
  });
  const choose = (chosen: File | undefined): void => {
    run.reset();
    preview.reset();
    setPack(null);
    if (chosen !== undefined) upload.choose(chosen);
  };
  const error = preview.error ?? run.error;
  const problems =
    run.data?.status === 'refused' ? run.data.problems : preview.data === undefined ? [] : preview.data.problems;
  const changes = preview.data?.contents.filter(({ change }) => change !== 'same') ?? [];
  return (
    <Dialog title={t('Import a course pack')} isOpen onClose={onClose}>
      {run.data?.status === 'imported' ? (
        <>
          <p role="status">
            {joinSentences(t, [
              t('{count, plural, =0 {Nothing had changed.} one {# imported.} other {# imported.}}', {
                count: run.data.changed,
              }),
              ...(run.data.published > 0
                ? [t('{count, plural, one {# published.} other {# published.}}', { count: run.data.published })]
                : []),
            ])}
          </p>
          <div className={css['buttons']}>
            <Button variant="primary" onPress={onClose}>
              {t('Done')}
            </Button>
          </div>
        </>
      ) : (
        <>
          <label className={css['file']}>
            {t('Course pack')}
            <input
              type="file"
              accept=".parleypack,.zip,application/zip"
              onChange={(event) => choose(event.target.files?.[0])}
            />
          </label>
          <UploadProgress
            state={upload.state}
            onPause={upload.pause}
            onResume={upload.resume}
            onGiveUp={upload.discard}
          />
          {preview.isPending && <p role="status">{t('Checking the pack…')}</p>}
          {run.isPending && <p role="status">{t('Importing…')}</p>}
          {error !== null && <Banner tone="error">{errorSentence(error)}</Banner>}
          {problems.length > 0 && <Problems problems={problems} />}
          {run.data?.status === 'outdated' && (
            <Banner tone="warn">
              {t('This content was changed after you looked. Nothing was imported yet: check again what will change.')}
            </Banner>
          )}
          {preview.data !== undefined && problems.length === 0 && (
            <>
              <p>{changes.length === 0 ? t('Everything in this pack is already here.') : t('This will change:')}</p>
              <ul className={css['changes']}>
                {changes.map(({ kind, id, title, change, changes: paths }) => (
                  <li key={id}>
                    <bdi>{title}</bdi> · {KINDS[kind].one}: {CHANGE_NAMES[change]}
                    {paths.length > 0 && <small> ({formatList(placeNames(paths))})</small>}
                  </li>
                ))}
              </ul>
              <Switch isSelected={publish} onChange={setPublish}>
                {t('Publish it now')}
              </Switch>
            </>
          )}
          <div className={css['buttons']}>
            <Button
              variant="primary"
              isDisabled={pack === null || changes.length === 0 || problems.length > 0 || run.isPending}
              onPress={() =>
                pack !== null && preview.data !== undefined && run.mutate({ chosen: pack, seen: preview.data.seen })
              }
            >
              {t('Import')}
            </Button>
            <Button onPress={onClose}>{t('Cancel')}</Button>
          </div>
        </>
      )}
    </Dialog>
  );
}

const Problems = ({ problems }: { problems: PackPreview['problems'] }): ReactElement => (
  <Banner tone="error">
    <p>{t('Nothing was imported. Correct these places in the pack:')}</p>
    <ul className={css['changes']}>
      {problems.map(({ file, line, ...explanation }, index) => (
        <li key={index}>
          <code>
            {file}
            {line !== null && `:${line}`}
          </code>{' '}
          {explanationText(explanation, t)}
        </li>
      ))}
    </ul>
  </Banner>
);
