export {
  countUnresolved,
  type DayOfOrders,
  type DayOfPayments,
  selectBeginnings as beginningsOf,
  selectCreated as createdByDay,
  selectPaid as paidByDay,
} from './order-figures.sql.ts';
