/** Earlier versions of a document. Any of them can become the draft again. */
import { formatList, t } from '@parley/i18n';
import type { ContentKind } from '@parley/domain';
import { Button, Dialog, Trans } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { client } from '../../foundation/api/client.ts';
import { formatDateTime } from '../../foundation/screen/format.ts';
import { QueryView } from '../../foundation/screen/screen.tsx';
import { placeNames } from '../../foundation/screen/place-name.ts';
import css from '../content.module.css';

const ACTS: Readonly<Record<string, string>> = {
  base: t('Original version'),
  saved: t('Saved'),
  published: t('Published'),
  withdrawn: t('Withdrawn'),
  deleted: t('Deleted'),
  starter: t('Updated from the starter catalogue'),
};
const MAX_PATHS = 4;

interface HistoryProps {
  kind: ContentKind;
  id: string;
  onRevert: (revision: number) => void;
  onClose: () => void;
}

export function HistoryDialog({ kind, id, onRevert, onClose }: HistoryProps): ReactElement {
  const query = useQuery({
    queryKey: ['content-versions', kind, id],
    queryFn: () => client.content.versions({ kind, id }),
    select: ({ versions }) => versions.map(({ changes, ...version }) => ({ ...version, places: placeNames(changes) })),
    staleTime: 0,
  });
  return (
    <Dialog title={t('History')} isOpen onClose={onClose}>
      <QueryView query={query}>
        {(versions) =>
          versions.length === 0 ? (
            <p>{t('Nothing has been changed yet.')}</p>
          ) : (
            <ol className={css['versions']}>
              {versions.map(({ revision, act, at, by, places }, index) => (
                <li key={revision}>
                  <div>
                    {ACTS[act] ?? act},{' '}
                    {by === null ? (
                      formatDateTime(at)
                    ) : (
                      <Trans
                        id="{day} by <0>{name}</0>"
                        values={{ day: formatDateTime(at), name: by }}
                        components={{ 0: <bdi /> }}
                      />
                    )}
                    <small>
                      {formatList([
                        ...places.slice(0, MAX_PATHS),
                        ...(places.length > MAX_PATHS
                          ? [
                              t('{count, plural, one {# more change} other {# more changes}}', {
                                count: places.length - MAX_PATHS,
                              }),
                            ]
                          : []),
                      ])}
                    </small>
                  </div>
                  {index > 0 && (
                    <Button
                      onPress={() => {
                        onClose();
                        onRevert(revision);
                      }}
                    >
                      {t('Go back to this')}
                    </Button>
                  )}
                </li>
              ))}
            </ol>
          )
        }
      </QueryView>
    </Dialog>
  );
}
