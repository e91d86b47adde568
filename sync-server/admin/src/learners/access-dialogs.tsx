/** Grants and revokes access, for one learner or for many. */
import type { ReactElement } from 'react';
import { client } from '../foundation/api/client.ts';
import { ActionDialog } from '../foundation/dialogs/action-dialog.tsx';
import { formatNumber } from '../foundation/screen/format.ts';

interface AccessDialogProps {
  learners: readonly { userId: string }[];
  onClose: () => void;
  onDone?: () => void;
}

const CHUNK = 100;

/** In parts, so that no request takes long. */
async function inChunks(userIds: readonly string[], run: (ids: string[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < userIds.length; from += CHUNK) await run(userIds.slice(from, from + CHUNK));
}

const people = (count: number): string => (count === 1 ? 'this learner' : `${formatNumber(count)} learners`);

export function GrantDialog({ learners, ...props }: AccessDialogProps): ReactElement {
  const ids = learners.map(({ userId }) => userId);
  return (
    <ActionDialog
      title={`Let ${people(ids.length)} in?`}
      confirmLabel="Let in"
      reason={{ isRequired: false, label: 'Reason (optional)', description: 'It is kept in the audit log.' }}
      run={(reason) =>
        inChunks(ids, (userIds) => client.admin.grantAccessToMany({ userIds, ...(reason === '' ? {} : { reason }) }))
      }
      {...props}
    >
      <p>They get access to the coaches, and an e-mail with a link. You can take access away again at any time.</p>
    </ActionDialog>
  );
}

export function RevokeDialog({ learners, ...props }: AccessDialogProps): ReactElement {
  const ids = learners.map(({ userId }) => userId);
  return (
    <ActionDialog
      title={`Take access away from ${people(ids.length)}?`}
      confirmLabel="Take access away"
      isDanger
      reason={{
        isRequired: true,
        label: 'Reason',
        description: 'The learner reads it, and it is kept in the audit log.',
      }}
      run={(reason) => inChunks(ids, (userIds) => client.admin.revokeAccessOfMany({ userIds, reason }))}
      {...props}
    >
      <p>
        They can no longer talk with the coaches of this server, and a plan that they pay for is cancelled. Nothing that
        they did is deleted. You can let them in again.
      </p>
    </ActionDialog>
  );
}
