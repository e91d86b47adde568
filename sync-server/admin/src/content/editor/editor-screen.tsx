/** The frame of every editor: the state of the document, its problems, the form and the available actions. */
import { t } from '@parley/i18n';
import type { ContentFinding, ContentKind } from '@parley/domain';
import { explanationText, isComingSoon, titleOf } from '@parley/domain';
import { Badge, Banner, Button, Dialog, Trans } from '@parley/ui';
import { Link, useLocation, useParams } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { formatDay } from '../../foundation/screen/format.ts';
import { ErrorBanner, Screen } from '../../foundation/screen/screen.tsx';
import { ContentForm } from '../forms/content-form.tsx';
import { kindAt, KINDS, stateName } from '../kinds.ts';
import { packExportUrl } from '../packs/pack-client.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { CoursePreview } from './course-preview.tsx';
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
        {error === null ? <p role="status">{t('Loading…')}</p> : <ErrorBanner error={error} />}
      </Screen>
    );
  const { view, document } = editor;
  const title = titleOf({ kind, document }) || names.untitled;
  return (
    <Screen
      title={title}
      intro={<StateLine kind={kind} editor={editor} />}
      action={<Actions kind={kind} id={id} editor={editor} />}
    >
      <p className={css['back']}>
        <Link to={names.path}>{names.all}</Link>
      </p>
      <div role="status" className={css['done']}>
        {editor.isBusy ? t('Working…') : editor.done}
      </div>
      {editor.error !== null && <ErrorBanner error={editor.error} />}
      {view.hasStarterUpdate && (
        <Banner
          action={
            <>
              <Button onPress={() => editor.starterUpdate(true)}>{t('Use the update')}</Button>
              <Button variant="quiet" onPress={() => editor.starterUpdate(false)}>
                {t('Decline')}
              </Button>
            </>
          }
        >
          {t('An update of the starter catalogue is available. Your own edits stay as they are.')}
        </Banner>
      )}
      {editor.problems.length > 0 && (
        <Banner tone="error">
          {editor.problems.map((problem) => (
            <div key={problem.id}>
              <p>
                {problem.id === id
                  ? t('Nothing was changed for learners. Correct this first:')
                  : t('Nothing was changed for learners. Correct this first in “{title}”:', { title: problem.title })}
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

function StateLine({
  kind,
  editor: { view, document, isChanged },
}: {
  kind: ContentKind;
  editor: ContentEditor;
}): ReactElement {
  const state = <Badge>{stateName(view)}</Badge>;
  const values = { kind: KINDS[kind].one, day: formatDay(view.editedAt) };
  return (
    <>
      {view.editedBy === null ? (
        <Trans id="<0/> {kind}, edited on {day}" values={values} components={{ 0: state }} />
      ) : (
        <Trans
          id="<0/> {kind}, edited on {day} by <1>{name}</1>"
          values={{ ...values, name: view.editedBy }}
          components={{ 0: state, 1: <bdi /> }}
        />
      )}
      {isComingSoon(document) && ` · ${t('coming soon')}`}
      {isChanged && ` · ${t('not saved yet')}`}
    </>
  );
}

function Actions({ kind, id, editor }: { kind: ContentKind; id: string; editor: ContentEditor }): ReactElement {
  const [dialog, setDialog] = useState<'history' | 'preview' | 'withdraw' | 'delete' | null>(null);
  const { view, isChanged, isBusy } = editor;
  const close = (): void => setDialog(null);
  const isDeleted = view.state === 'deleted';
  const title = titleOf({ kind, document: editor.document }) || KINDS[kind].untitled;
  return (
    <>
      <Button onPress={() => setDialog('history')}>{t('History')}</Button>
      {kind !== 'industry' && (
        <Button onPress={() => globalThis.location.assign(packExportUrl({ kind, id }))}>{t('Export')}</Button>
      )}
      {kind === 'course' && <Button onPress={() => setDialog('preview')}>{t('Preview')}</Button>}
      {kind === 'post' && !isChanged && (view.state !== 'published' || view.hasChanges) && !isDeleted && (
        <Button onPress={() => setDialog('preview')}>{t('Preview link')}</Button>
      )}
      {view.hasChanges && !isChanged && (
        <Button onPress={() => editor.revert('published')}>{t('Discard changes')}</Button>
      )}
      {view.state === 'published' && <Button onPress={() => setDialog('withdraw')}>{t('Withdraw')}</Button>}
      {!isDeleted && <Button onPress={() => setDialog('delete')}>{t('Delete')}</Button>}
      <Button onPress={editor.save} isDisabled={isBusy || (!isChanged && !isDeleted)}>
        {isDeleted ? t('Restore') : t('Save draft')}
      </Button>
      {!isDeleted && (
        <Button
          variant="primary"
          onPress={editor.publish}
          isDisabled={isBusy || (view.state === 'published' && !view.hasChanges && !isChanged)}
        >
          {t('Publish')}
        </Button>
      )}
      {dialog === 'history' && <HistoryDialog kind={kind} id={id} onRevert={editor.revert} onClose={close} />}
      {dialog === 'preview' &&
        ('sections' in editor.document ? (
          <CoursePreview document={editor.document} onClose={close} />
        ) : (
          <PreviewDialog id={id} onClose={close} />
        ))}
      {dialog === 'withdraw' && (
        <Confirmation
          title={t('Withdraw “{title}”?', { title })}
          text={t(
            'Learners don’t see it any more, on all devices. A learner in the middle of it can finish, and results stay. You can publish it again.',
          )}
          action={t('Withdraw')}
          onConfirm={editor.withdraw}
          onClose={close}
        />
      )}
      {dialog === 'delete' && (
        <Confirmation
          title={t('Delete “{title}”?', { title })}
          text={t(
            'It disappears from your lists and from learners’ devices. Results are kept. You can restore it from the list of deleted content.',
          )}
          action={t('Delete')}
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
      <Button onPress={onClose}>{t('Cancel')}</Button>
    </div>
  </Dialog>
);

function Findings({ findings }: { findings: readonly ContentFinding[] }): ReactElement | null {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const advice = findings.filter(({ severity }) => severity === 'advice');
  if (findings.length === 0) return null;
  return (
    <section aria-label={t('What to correct')} className={css['findings']}>
      {errors.length > 0 && (
        <details open={errors.length < 6}>
          <summary>
            {t(
              '{count, plural, one {# thing to correct before publishing} other {# things to correct before publishing}}',
              { count: errors.length },
            )}
          </summary>
          <FindingList findings={errors} />
        </details>
      )}
      {advice.length > 0 && (
        <details>
          <summary>{t('{count, plural, one {# suggestion} other {# suggestions}}', { count: advice.length })}</summary>
          <FindingList findings={advice} />
        </details>
      )}
    </section>
  );
}

const FindingList = ({ findings }: { findings: readonly ContentFinding[] }): ReactElement => (
  <ul className={css['changes']}>
    {findings.map((finding, index) => (
      <li key={index}>{explanationText(finding, t)}</li>
    ))}
  </ul>
);
