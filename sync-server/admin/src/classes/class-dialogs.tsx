/** Adds learners to a class, assigns it a course, and renames it. */
import { formatList, t } from '@parley/i18n';
import type { ClassDetail } from '@parley/contract';
import { isDayOfChoice } from '@parley/domain';
import { Button, Dialog, Select } from '@parley/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { client } from '../foundation/api/client.ts';
import { errorSentence } from '../foundation/api/error-sentence.ts';
import { ActionDialog } from '../foundation/dialogs/action-dialog.tsx';
import { MomentInput } from '../foundation/screen/moment-input.tsx';
import table from '../foundation/screen/table.module.css';
import { endOfDay, panelTimeZone, toFieldDay } from '../foundation/screen/time-zone.ts';
import { parseAddresses } from '../learners/index.ts';
import { addToClass } from './add-to-class.ts';
import { ClassNameDialog } from './class-name-dialog.tsx';

export function AddLearnersDialog({ classId, onClose }: { classId: string; onClose: () => void }): ReactElement {
  const [text, setText] = useState('');
  const queryClient = useQueryClient();
  const emails = parseAddresses(text).invitations.map(({ email }) => email);
  const add = useMutation({
    mutationFn: () => addToClass(emails, (part) => client.admin.addToClass({ classId, emails: part })),
    onSuccess: async ({ unknown }) => {
      await queryClient.invalidateQueries();
      if (unknown.length === 0) onClose();
    },
  });
  return (
    <Dialog title={t('Add learners')} isOpen onClose={onClose}>
      <form
        className={table['form']}
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate();
        }}
      >
        <label className={table['label']}>
          {t('Addresses, one person on each line')}
          <textarea
            className={table['area']}
            value={text}
            onChange={({ target }) => setText(target.value)}
            dir="auto"
          />
        </label>
        {add.isError && <p role="alert">{errorSentence(add.error)}</p>}
        {add.data !== undefined && add.data.unknown.length > 0 && (
          <p role="alert">
            {t(
              '{added, plural, one {# added.} other {# added.}} These people don’t have an account yet. Invite them first: {addresses}',
              { added: add.data.added, addresses: formatList(add.data.unknown) },
            )}
          </p>
        )}
        <div className={table['buttons']}>
          <Button type="submit" variant="primary" isDisabled={add.isPending || emails.length === 0}>
            {emails.length <= 1
              ? t('Add')
              : t('{count, plural, one {Add # learner} other {Add # learners}}', { count: emails.length })}
          </Button>
          <Button onPress={onClose}>{t('Close')}</Button>
        </div>
      </form>
    </Dialog>
  );
}

export function AssignDialog({
  classId,
  courses,
  choices,
  onClose,
}: Pick<ClassDetail, 'classId' | 'courses' | 'choices'> & { onClose: () => void }): ReactElement {
  const [courseId, setCourseId] = useState(choices[0]?.courseId ?? '');
  const [typedDay, setTypedDay] = useState<string | null>(null);
  const dueAt = courses.find((course) => course.courseId === courseId)?.dueAt ?? null;
  // A course that is already assigned keeps its date unless another one is chosen.
  const day = typedDay ?? (dueAt === null ? '' : toFieldDay(dueAt));
  if (choices.length === 0)
    return (
      <Dialog title={t('Assign a course')} isOpen onClose={onClose}>
        <p>{t('There are no courses yet.')}</p>
        <Button onPress={onClose}>{t('Close')}</Button>
      </Dialog>
    );
  return (
    <ActionDialog
      title={t('Assign a course')}
      confirmLabel={t('Assign')}
      problem={day === '' || isDayOfChoice(day) ? null : t('The year must be between 2000 and 2099.')}
      run={() => client.admin.assignCourse({ classId, courseId, dueAt: day === '' ? null : endOfDay(day) })}
      onClose={onClose}
    >
      <Select
        label={t('Course')}
        options={choices.map((course) => ({ value: course.courseId, label: course.title }))}
        value={courseId}
        onChange={setCourseId}
      />
      <label className={table['label']}>
        {t('Due by (optional)')}
        <MomentInput className={table['input']} type="date" value={day} onChange={setTypedDay} />
      </label>
      <p className={table['small']}>{t('Time zone: {timeZone}.', { timeZone: panelTimeZone() })}</p>
    </ActionDialog>
  );
}

export const RenameDialog = ({
  classId,
  name: before,
  onClose,
}: Pick<ClassDetail, 'classId' | 'name'> & { onClose: () => void }): ReactElement => (
  <ClassNameDialog
    title={t('Rename this class')}
    label={t('New name')}
    confirmLabel={t('Rename')}
    before={before}
    run={(name) => client.admin.changeClass({ classId, name })}
    onClose={onClose}
  />
);
