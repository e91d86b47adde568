/** Earlier versions of a document. Any of them can become the draft again. */
import type { ContentKind } from '@parley/domain';
import { Button, Dialog } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { client } from '../../foundation/api/client.ts';
import { formatDay } from '../../foundation/screen/format.ts';
import { QueryView } from '../../foundation/screen/screen.tsx';
import css from '../content.module.css';

const ACTS: Readonly<Record<string, string>> = {
  base: 'Before the first change',
  saved: 'Saved',
  published: 'Published',
  withdrawn: 'Withdrawn',
  deleted: 'Deleted',
  starter: 'Updated by the starter',
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
    staleTime: 0,
  });
  return (
    <Dialog title="History" isOpen onClose={onClose}>
      <QueryView query={query}>
        {({ versions }) =>
          versions.length === 0 ? (
            <p>Nothing has been changed yet.</p>
          ) : (
            <ol className={css['versions']}>
              {versions.map(({ revision, act, at, by, changes }, index) => (
                <li key={revision}>
                  <div>
                    {ACTS[act] ?? act}, {formatDay(at)}
                    {by !== null && (
                      <>
                        {' '}
                        by <bdi>{by}</bdi>
                      </>
                    )}
                    <small>
                      {changes
                        .slice(0, MAX_PATHS)
                        .map((path) => path.join(' › '))
                        .join(', ')}
                      {changes.length > MAX_PATHS && ` and ${changes.length - MAX_PATHS} more`}
                    </small>
                  </div>
                  {index > 0 && (
                    <Button
                      onPress={() => {
                        onClose();
                        onRevert(revision);
                      }}
                    >
                      Go back to this
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
