/** The frame of every editor: the state, what to correct, the form, and what can be done. */
import type { ContentFinding, ContentKind } from '@parley/domain';
import { titleOf } from '@parley/domain';
import { Badge, Banner, Button, Dialog } from '@parley/ui';
import { Link, useLocation, useParams } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { formatDay } from '../../foundation/screen/format.ts';
import { ErrorBanner, Screen } from '../../foundation/screen/screen.tsx';
import { ContentForm } from '../forms/content-form.tsx';
import { kindAt, KINDS, stateName } from '../kinds.ts';
import { packExportUrl } from '../pack-client.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { HistoryDialog } from './history-dialog.tsx';
import { PreviewDialog } from './preview-dialog.tsx';
import { type ContentEditor, useContentEditor } from './use-content-editor.ts';
import css from '../content.module.css';

export function EditorScreen(): ReactElement {
  const kind = useLocation({ select: ({ pathname }) => kindAt(pathname) });
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  return <Editor key={id} kind={kind} id={id} />;
}

function Editor({ kind, id }: { kind: ContentKind; id: string }): ReactElement {
  const names = KINDS[kind];
  const { editor, error } = useContentEditor(kind, id);
  if (editor === null)
    return (
      <Screen title={names.plural}>
        {error === null ? <p role="status">Loading …</p> : <ErrorBanner error={error} />}
      </Screen>
    );
  const { view, document } = editor;
  const title = titleOf({ kind, document });
  return (
    <Screen
      title={title === '' ? `Untitled ${names.one}` : title}
      intro={<StateLine kind={kind} editor={editor} />}
      action={<Actions kind={kind} id={id} editor={editor} />}
    >
      <p className={css['back']}>
        <Link to={names.path}>All {names.plural.toLowerCase()}</Link>
      </p>
      <div role="status" className={css['done']}>
        {editor.isBusy ? 'Working …' : editor.done}
      </div>
      {editor.error !== null && <ErrorBanner error={editor.error} />}
      {view.hasStarterUpdate && (
        <Banner
          action={
            <>
              <Button onPress={() => editor.starterUpdate(true)}>Take it over</Button>
              <Button variant="quiet" onPress={() => editor.starterUpdate(false)}>
                Decline
              </Button>
            </>
          }
        >
          An update of the starter is available. Your own edits stay as they are.
        </Banner>
      )}
      {editor.problems.length > 0 && (
        <Banner tone="error">
          {editor.problems.map((problem) => (
            <div key={problem.id}>
              <p>
                Nothing was changed for learners. Correct this first{problem.id === id ? '' : ` in “${problem.title}”`}:
              </p>
              <FindingList findings={problem.findings} />
            </div>
          ))}
        </Banner>
      )}
      {editor.problems.length === 0 && <Findings findings={editor.findings} />}
      <ContentForm
        content={{ kind, id, document } as Parameters<typeof ContentForm>[0]['content']}
        findings={editor.findings}
        onChange={editor.change}
      />
      {editor.conflict !== null && <ConflictDialog conflict={editor.conflict} onSettle={editor.settleConflict} />}
    </Screen>
  );
}

function StateLine({ kind, editor: { view, isChanged } }: { kind: ContentKind; editor: ContentEditor }): ReactElement {
  return (
    <>
      <Badge>{stateName(view)}</Badge> {KINDS[kind].one}, edited on {formatDay(view.editedAt)}
      {view.editedBy !== null && (
        <>
          {' '}
          by <bdi>{view.editedBy}</bdi>
        </>
      )}
      {isChanged && ' · not saved yet'}
    </>
  );
}

function Actions({ kind, id, editor }: { kind: ContentKind; id: string; editor: ContentEditor }): ReactElement {
  const [dialog, setDialog] = useState<'history' | 'preview' | 'withdraw' | 'delete' | null>(null);
  const { view, isChanged, isBusy } = editor;
  const close = (): void => setDialog(null);
  const isDeleted = view.state === 'deleted';
  return (
    <>
      <Button onPress={() => setDialog('history')}>History</Button>
      {kind !== 'industry' && (
        <Button onPress={() => globalThis.location.assign(packExportUrl({ kind, id }))}>Export</Button>
      )}
      {kind === 'post' && !isChanged && (view.state !== 'published' || view.hasChanges) && !isDeleted && (
        <Button onPress={() => setDialog('preview')}>Preview link</Button>
      )}
      {view.hasChanges && !isChanged && <Button onPress={() => editor.revert('published')}>Discard changes</Button>}
      {view.state === 'published' && <Button onPress={() => setDialog('withdraw')}>Withdraw</Button>}
      {!isDeleted && <Button onPress={() => setDialog('delete')}>Delete</Button>}
      <Button onPress={editor.save} isDisabled={isBusy || (!isChanged && !isDeleted)}>
        {isDeleted ? 'Restore' : 'Save draft'}
      </Button>
      {!isDeleted && (
        <Button
          variant="primary"
          onPress={editor.publish}
          isDisabled={isBusy || (view.state === 'published' && !view.hasChanges && !isChanged)}
        >
          Publish
        </Button>
      )}
      {dialog === 'history' && <HistoryDialog kind={kind} id={id} onRevert={editor.revert} onClose={close} />}
      {dialog === 'preview' && <PreviewDialog id={id} onClose={close} />}
      {dialog === 'withdraw' && (
        <Confirmation
          title="Withdraw it?"
          text="Learners do not see it any more, on all devices. A learner in the middle of it can finish, and results stay. You can publish it again."
          action="Withdraw"
          onConfirm={editor.withdraw}
          onClose={close}
        />
      )}
      {dialog === 'delete' && (
        <Confirmation
          title="Delete it?"
          text="It leaves your lists and learners’ devices; results stay. You can restore it from the list of deleted content."
          action="Delete"
          onConfirm={editor.remove}
          onClose={close}
        />
      )}
    </>
  );
}

interface ConfirmationProps {
  title: string;
  text: string;
  action: string;
  onConfirm: () => void;
  onClose: () => void;
}

const Confirmation = ({ title, text, action, onConfirm, onClose }: ConfirmationProps): ReactElement => (
  <Dialog title={title} isOpen onClose={onClose}>
    <p>{text}</p>
    <div className={css['buttons']}>
      <Button
        variant="danger"
        onPress={() => {
          onClose();
          onConfirm();
        }}
      >
        {action}
      </Button>
      <Button onPress={onClose}>Cancel</Button>
    </div>
  </Dialog>
);

function Findings({ findings }: { findings: readonly ContentFinding[] }): ReactElement | null {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const advice = findings.filter(({ severity }) => severity === 'advice');
  if (findings.length === 0) return null;
  return (
    <section aria-label="What to correct" className={css['findings']}>
      {errors.length > 0 && (
        <details open={errors.length < 6}>
          <summary>
            {errors.length === 1
              ? '1 thing to correct before publishing'
              : `${errors.length} things to correct before publishing`}
          </summary>
          <FindingList findings={errors} />
        </details>
      )}
      {advice.length > 0 && (
        <details>
          <summary>{advice.length === 1 ? '1 suggestion' : `${advice.length} suggestions`}</summary>
          <FindingList findings={advice} />
        </details>
      )}
    </section>
  );
}

const FindingList = ({ findings }: { findings: readonly ContentFinding[] }): ReactElement => (
  <ul className={css['changes']}>
    {findings.map(({ message }, index) => (
      <li key={index}>{message}</li>
    ))}
  </ul>
);
