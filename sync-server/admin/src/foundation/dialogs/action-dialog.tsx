/** A dialog that says what an action will do, asks for a reason if one is needed, and shows why it failed. */
import { t } from '@parley/i18n';
import { Button, Dialog, TextField } from '@parley/ui';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useState } from 'react';
import { errorSentence } from '../api/error-sentence.ts';
import { useSingleMutation } from '../api/use-single-mutation.ts';
import { lengthProblem } from '../screen/length-problem.ts';
import css from './action-dialog.module.css';

const MAX_REASON = 500;

export interface ActionDialogProps {
  title: string;
  children: ReactNode;
  confirmLabel: string;
  isDanger?: boolean;
  /** The reason that is stored in the audit log. `shown` says whether the learner reads it too. */
  reason?: { isRequired: boolean; label: string; description?: string };
  /** Whether a field that the action needs is still empty. */
  isIncomplete?: boolean;
  /** The problem with the dialog's fields; null when they are valid. */
  problem?: string | null;
  run: (reason: string) => Promise<unknown>;
  onClose: () => void;
  onDone?: () => void;
}

export function ActionDialog(props: ActionDialogProps): ReactElement {
  const [reason, setReason] = useState('');
  const queryClient = useQueryClient();
  const action = useSingleMutation({
    mutationFn: () => props.run(reason.trim()),
    onSuccess: async () => {
      // Most actions affect several lists and the counts in the navigation.
      await queryClient.invalidateQueries();
      props.onDone?.();
      props.onClose();
    },
  });
  const isReasonMissing = props.reason?.isRequired === true && reason.trim() === '';
  const isIncomplete = isReasonMissing || props.isIncomplete === true;
  const reasonProblem =
    props.reason === undefined ? null : lengthProblem(props.reason.label, reason.trim(), MAX_REASON);
  const problem = reasonProblem ?? props.problem ?? null;
  return (
    <Dialog title={props.title} isOpen onClose={props.onClose}>
      <form
        className={css['form']}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isIncomplete && problem === null) action.mutate();
        }}
      >
        <div className={css['text']}>{props.children}</div>
        {props.reason !== undefined && (
          <TextField
            label={props.reason.label}
            value={reason}
            onChange={setReason}
            isInvalid={reasonProblem !== null}
            {...(props.reason.description === undefined ? {} : { description: props.reason.description })}
          />
        )}
        {problem !== null && <p role="alert">{problem}</p>}
        {action.isError && <p role="alert">{errorSentence(action.error)}</p>}
        <div className={css['buttons']}>
          <Button
            type="submit"
            variant={props.isDanger === true ? 'danger' : 'primary'}
            isDisabled={action.isPending || isIncomplete || problem !== null}
          >
            {action.isPending ? t('One moment…') : props.confirmLabel}
          </Button>
          <Button onPress={props.onClose}>{t('Cancel')}</Button>
        </div>
      </form>
    </Dialog>
  );
}
