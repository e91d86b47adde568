/** Imports a course pack: first it shows what would change, then it asks. */
import { t } from '@parley/i18n';
import type { PackPreview } from '@parley/contract';
import { Banner, Button, Dialog, Switch } from '@parley/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { KINDS } from './kinds.ts';
import { importPack, previewPack } from './pack-client.ts';
import css from './content.module.css';

const CHANGE_NAMES = { new: t('new'), changed: t('changed'), same: t('unchanged') } as const;

export function ImportDialog({ onClose }: { onClose: () => void }): ReactElement {
  const queryClient = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [publish, setPublish] = useState(false);
  const preview = useMutation({ mutationFn: previewPack });
  const run = useMutation({
    mutationFn: (pack: File) => importPack(pack, publish),
    onSuccess: () => queryClient.invalidateQueries(),
  });
  const choose = (chosen: File | undefined): void => {
    run.reset();
    setFile(chosen ?? null);
    if (chosen !== undefined) preview.mutate(chosen);
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
            {t('{count, plural, =0 {Nothing had changed.} one {# imported.} other {# imported.}}', {
              count: run.data.changed,
            })}{' '}
            {run.data.published > 0 &&
              t('{count, plural, one {# published.} other {# published.}}', { count: run.data.published })}
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
            {t('ZIP file')}
            <input type="file" accept=".zip,application/zip" onChange={(event) => choose(event.target.files?.[0])} />
          </label>
          {error !== null && <Banner tone="error">{error.message}</Banner>}
          {problems.length > 0 && <Problems problems={problems} />}
          {preview.data !== undefined && problems.length === 0 && (
            <>
              <p>{changes.length === 0 ? t('Everything in this pack is here already.') : t('This will change:')}</p>
              <ul className={css['changes']}>
                {changes.map(({ kind, id, title, change, changes: paths }) => (
                  <li key={id}>
                    <bdi>{title}</bdi>, {KINDS[kind].one}: {CHANGE_NAMES[change]}
                    {paths.length > 0 && <small> ({paths.map((path) => path.join(' › ')).join(', ')})</small>}
                  </li>
                ))}
              </ul>
              <Switch isSelected={publish} onChange={setPublish}>
                {t('Publish it at once')}
              </Switch>
            </>
          )}
          <div className={css['buttons']}>
            <Button
              variant="primary"
              isDisabled={file === null || changes.length === 0 || problems.length > 0 || run.isPending}
              onPress={() => file !== null && run.mutate(file)}
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
      {problems.map(({ file, line, message }, index) => (
        <li key={index}>
          <code>
            {file}
            {line !== null && `:${line}`}
          </code>{' '}
          {message}
        </li>
      ))}
    </ul>
  </Banner>
);
