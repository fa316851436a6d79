/** How each status looks: a colour and a sign, so that no status is told by its colour alone (D-210). */
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconBan,
  IconCheck,
  IconCircleDashed,
  IconClock,
  IconClockOff,
  IconCreditCardOff,
  IconEye,
  IconFileOff,
  IconLock,
  IconProgress,
  IconRefresh,
  IconX,
  type TablerIcon,
} from '@tabler/icons-react';

interface Look {
  color: string;
  Icon: TablerIcon;
}

const good: Look = { color: 'teal', Icon: IconCheck };
const underWay: Look = { color: 'blue', Icon: IconProgress };
const waits: Look = { color: 'blue', Icon: IconClock };
const held: Look = { color: 'orange', Icon: IconLock };
const bad: Look = { color: 'red', Icon: IconX };
const over: Look = { color: 'gray', Icon: IconClockOff };
const off: Look = { color: 'gray', Icon: IconBan };

/** Looks by status. The statuses of a collection order differ from each other in colour and in sign. */
export const looks: Readonly<Record<string, Look>> = {
  pending: waits,
  paid: good,
  review: { color: 'orange', Icon: IconEye },
  expired: over,
  refunded: { color: 'indigo', Icon: IconArrowBackUp },
  chargeback: { color: 'red', Icon: IconCreditCardOff },
  delivered: good,
  active: good,
  approved: good,
  approve: good,
  enabled: good,
  fulfilled: good,
  completed: good,
  succeeded: good,
  resolved: good,
  captured: good,
  captured_late: { color: 'orange', Icon: IconCheck },
  paid_late: { color: 'orange', Icon: IconCheck },
  released: { color: 'gray', Icon: IconArrowBackUp },
  partial: { color: 'orange', Icon: IconAlertTriangle },
  mismatch: { color: 'orange', Icon: IconAlertTriangle },
  unknown: { color: 'orange', Icon: IconAlertTriangle },
  open: underWay,
  creating: underWay,
  processing: underWay,
  paying: underWay,
  requested: waits,
  waiting: { color: 'gray', Icon: IconClock },
  retrying: { color: 'yellow', Icon: IconRefresh },
  held,
  complaint_hold: held,
  reserved: held,
  failed: bad,
  rejected: bad,
  lost: bad,
  won: good,
  needs_response: { color: 'orange', Icon: IconAlertTriangle },
  warning_needs_response: { color: 'yellow', Icon: IconAlertTriangle },
  under_review: underWay,
  warning_under_review: underWay,
  warning_closed: off,
  prevented: off,
  sending: waits,
  sent: good,
  refused: bad,
  disputed: { color: 'red', Icon: IconAlertTriangle },
  confirmed: { color: 'red', Icon: IconAlertTriangle },
  inactive: off,
  disabled: off,
  cancelled: off,
  closed: off,
  paused: off,
  revoked: off,
  absent: off,
  used_up: over,
  superseded: { color: 'gray', Icon: IconFileOff },
  dismissed: { color: 'gray', Icon: IconFileOff },
};

/** For what is no status of the contract. */
export const plainLook: Look = { color: 'gray', Icon: IconCircleDashed };
