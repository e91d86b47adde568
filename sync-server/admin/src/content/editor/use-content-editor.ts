/** The state of an editor: the loaded document, unsaved edits, and the server's findings. */
import { t } from '@parley/i18n';
import type { ConflictResult, ContentView, PublishResult, SaveResult } from '@parley/contract';
import { type ContentDocument, type ContentFinding, type ContentKind, titleOf } from '@parley/domain';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { client } from '../../foundation/api/client.ts';
import { useUnsaved } from '../../foundation/screen/unsaved.ts';
import { findExcess } from './find-excess.ts';

const CHECK_DELAY_MS = 600;

export interface ContentEditor {
  view: ContentView;
  document: ContentDocument;
  change: (document: ContentDocument) => void;
  isChanged: boolean;
  findings: readonly ContentFinding[];
  conflict: ConflictResult | null;
  /** Continues with both admins' edits; nothing is saved yet. */
  settleConflict: (document: ContentDocument) => void;
  problems: Extract<PublishResult, { status: 'blocked' }>['problems'];
  isBusy: boolean;
  error: unknown;
  /** The result of the last action, for a status line. */
  done: string | null;
  save: () => void;
  publish: () => void;
  withdraw: () => void;
  remove: () => void;
  revert: (to: number | 'published') => void;
  starterUpdate: (accept: boolean) => void;
}

/** The edited document, and the revision on which it is based. */
interface Local {
  document: ContentDocument;
  revision: number;
}

/**
 * Decides what remains of the edits when a response from the server arrives. Typing continues during a call, and none
 * of it may be lost.
 */
type Keep = (typed: Local, answer: ContentView) => Local | null;
/** The response is the edited document itself. */
const unlessSent =
  (sent: Local | null): Keep =>
  (typed, { revision }) =>
    typed === sent ? null : { ...typed, revision };
/** The action left the document unchanged, at a new revision. */
const onNewRevision: Keep = (typed, { revision }) => ({ ...typed, revision });
/** The document was changed too, so the next save merges both changes. */
const onOwnRevision: Keep = (typed) => typed;
/** The admin chose another version instead. */
const replaced: Keep = () => null;

export function useContentEditor(kind: ContentKind, id: string): { editor: ContentEditor | null; error: unknown } {
  const queryClient = useQueryClient();
  const query = useQuery({
    queryKey: ['content', kind, id],
    queryFn: () => client.content.read({ kind, id }),
    // The edits are based on the loaded revision, so nothing is reloaded underneath them.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const view = query.data ?? null;
  const [local, setLocal] = useState<Local | null>(null);
  const [conflict, setConflict] = useState<ConflictResult | null>(null);
  const [problems, setProblems] = useState<ContentEditor['problems']>([]);
  const [done, setDone] = useState<string | null>(null);
  const [findings, setFindings] = useState<readonly ContentFinding[] | null>(null);

  const document = local?.document ?? view?.document ?? null;
  const isChanged = local !== null && view !== null && JSON.stringify(local.document) !== JSON.stringify(view.document);

  const excess = useMemo(() => (document === null ? [] : findExcess(kind, document)), [kind, document]);
  const isTooLarge = excess.length > 0;

  useEffect(() => {
    if (!isChanged || document === null || isTooLarge) return undefined;
    const timer = setTimeout(() => {
      client.content
        .check({ kind, id, document })
        .then((result) => setFindings(result.findings))
        // The next save reports what is wrong.
        .catch(() => undefined);
    }, CHECK_DELAY_MS);
    return () => clearTimeout(timer);
  }, [document, isChanged, isTooLarge, kind, id]);

  useUnsaved(isChanged);

  const show = (content: ContentView, keep: Keep): void => {
    queryClient.setQueryData(['content', kind, id], content);
    void queryClient.invalidateQueries({
      queryKey: ['content', kind],
      predicate: ({ queryKey }) => queryKey[2] !== id,
    });
    setLocal((typed) => (typed === null ? null : keep(typed, content)));
    setFindings(null);
    setConflict(null);
  };
  const accept = (result: SaveResult, keep: Keep): boolean => {
    setProblems(result.status === 'blocked' ? result.problems : []);
    if (result.status === 'saved') show(result.content, keep);
    else if (result.status === 'conflict') setConflict(result);
    return result.status === 'saved';
  };

  const action = useMutation({
    mutationFn: async (work: () => Promise<string | null>) => work(),
    onMutate: () => setDone(null),
    onSuccess: (sentence) => setDone(sentence),
  });
  const run = (sentence: string, call: () => Promise<SaveResult>, keep: Keep): void =>
    action.mutate(async () => (accept(await call(), keep) ? sentence : null));

  if (view === null || document === null) return { editor: null, error: query.error };
  /** Text that is too long is kept until it is short enough to be sent. */
  const unlessTooLarge =
    <Asked extends readonly unknown[]>(send: (...asked: Asked) => void) =>
    (...asked: Asked): void => {
      if (!isTooLarge) return send(...asked);
      setDone(null);
      setProblems([{ kind, id, title: titleOf({ kind, document }), findings: [...excess] }]);
    };
  const reference = { kind, id, revision: local?.revision ?? view.revision };
  const saveIfChanged = (): Promise<SaveResult> =>
    isChanged || conflict !== null || view.state === 'deleted'
      ? client.content.save({ ...reference, document })
      : Promise.resolve({ status: 'saved', content: view });

  return {
    error: null,
    editor: {
      view,
      document,
      change: (next) => {
        setDone(null);
        setLocal({ document: next, revision: local?.revision ?? view.revision });
      },
      isChanged,
      // A document that is too large is not sent to the server, whose earlier findings are about an older version.
      findings: isTooLarge ? excess : (findings ?? view.findings),
      conflict,
      settleConflict: (merged) => {
        if (conflict === null) return;
        queryClient.setQueryData(['content', kind, id], conflict.current);
        setLocal({ document: merged, revision: conflict.current.revision });
        setConflict(null);
      },
      problems,
      isBusy: action.isPending,
      error: action.error,
      done,
      save: unlessTooLarge(() =>
        run(t('Saved. Learners see it when you publish it.'), saveIfChanged, unlessSent(local)),
      ),
      publish: unlessTooLarge(() =>
        action.mutate(async () => {
          const saved = await saveIfChanged();
          if (!accept(saved, unlessSent(local)) || saved.status !== 'saved') return null;
          const { revision } = saved.content;
          const result = await client.content.publish({ contents: [{ kind, id, revision }] });
          if (result.status === 'published') {
            const [content] = result.contents;
            if (content !== undefined) show(content, onNewRevision);
            return (content?.publishAt ?? null) === null
              ? t('Published. Open apps will get it within a few seconds.')
              : t('Scheduled.');
          }
          if (result.status === 'blocked') {
            setProblems(result.problems);
            return null;
          }
          show(result.current, onOwnRevision);
          return t('Another admin changed it in the meantime. Look at it again, then publish it.');
        }),
      ),
      withdraw: () =>
        run(t('Withdrawn. Learners don’t see it any more.'), () => client.content.withdraw(reference), onNewRevision),
      remove: () => run(t('Deleted. Save it to restore it.'), () => client.content.delete(reference), onNewRevision),
      // Edits that are not saved yet are saved first, so that History keeps them.
      revert: unlessTooLarge((to: number | 'published') =>
        action.mutate(async () => {
          const saved = isChanged ? await saveIfChanged() : ({ status: 'saved', content: view } as const);
          if (!accept(saved, unlessSent(local)) || saved.status !== 'saved') return null;
          const { revision } = saved.content;
          const reverted = await client.content.revert({ ...reference, revision, to });
          return accept(reverted, replaced) ? t('This version is the draft now.') : null;
        }),
      ),
      starterUpdate: (isAccepted) =>
        run(
          isAccepted ? t('The update is in your draft. Look at it, then publish it.') : t('The update was declined.'),
          () => client.content.starterUpdate({ ...reference, accept: isAccepted }),
          onOwnRevision,
        ),
    },
  };
}
