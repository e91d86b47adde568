/** The dialogs of one learner: a new link, another address, deletion and its withdrawal. */
import type { LearnerDetail } from '@parley/contract';
import { TextField } from '@parley/ui';
import { type ReactElement, useState } from 'react';
import { client } from '../foundation/api/client.ts';
import { ActionDialog } from '../foundation/dialogs/action-dialog.tsx';

interface LearnerDialogProps {
  learner: LearnerDetail;
  onClose: () => void;
}

export const SendLinkDialog = ({ learner: { userId, email }, onClose }: LearnerDialogProps): ReactElement => (
  <ActionDialog
    title="Send a new link?"
    confirmLabel="Send the link"
    run={() => client.admin.sendAccessLink({ userId })}
    onClose={onClose}
  >
    <p>
      A message with a new link goes to <bdi>{email}</bdi>. It works for seven days. Earlier links keep working until
      they are used or expire.
    </p>
  </ActionDialog>
);

export function CorrectAddressDialog({
  learner: { userId, email: before },
  onClose,
}: LearnerDialogProps): ReactElement {
  const [email, setEmail] = useState(before ?? '');
  return (
    <ActionDialog
      title="Correct the address"
      confirmLabel="Save the address"
      run={() => client.admin.correctAddress({ userId, email })}
      onClose={onClose}
    >
      <p>
        This learner has never signed in, so the address can still be corrected. If they have access, a link goes to the
        new address.
      </p>
      <TextField label="E-mail address" type="email" value={email} onChange={setEmail} maxLength={320} />
    </ActionDialog>
  );
}

export const DeleteDialog = ({ learner: { userId, email }, onClose }: LearnerDialogProps): ReactElement => (
  <ActionDialog
    title="Delete this learner?"
    confirmLabel="Delete in 30 days"
    isDanger
    reason={{
      isRequired: true,
      label: 'Reason',
      description: 'It is kept in the audit log until the account is erased.',
    }}
    run={(reason) => client.admin.requestLearnerDeletion({ userId, reason })}
    onClose={onClose}
  >
    <p>
      Everything of this learner is erased in 30 days: the account, every practice and every score.
      {email !== null && ' They get an e-mail that says so.'} Until then, you and the learner can change your minds.
    </p>
  </ActionDialog>
);

export const KeepDialog = ({ learner: { userId }, onClose }: LearnerDialogProps): ReactElement => (
  <ActionDialog
    title="Keep this learner?"
    confirmLabel="Keep"
    run={() => client.admin.withdrawLearnerDeletion({ userId })}
    onClose={onClose}
  >
    <p>The account is not erased, and everything stays as it is.</p>
  </ActionDialog>
);
