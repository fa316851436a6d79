/** Merchants: their settings, members and logos. */
export { endInvitationsBy } from './end-invitations.ts';
export {
  claimInvitation,
  deleteExpiredInvitations,
  deleteInvitation,
  endInvitationMail,
  type Invitation,
  selectInvitationByToken,
  selectInvitations,
  updateInvitationToken,
  upsertInvitation,
} from './invitation.sql.ts';
export { type Logo, selectLogoProblem } from './logo.sql.ts';
export { type FetchedLogo, type FindLogo, createFindLogo, refreshDueLogos } from './logos.ts';
export {
  addMember,
  changeRole,
  demandOwner,
  listMembers,
  merchantsOf,
  ownersOf,
  peopleOf,
  removeMember,
  roleAt,
} from './members.ts';
export { selectRole as selectMemberRole } from './member.sql.ts';
export {
  type MerchantFilter,
  selectMerchant,
  selectMerchantForUpdate,
  selectMerchants,
} from './merchant.sql.ts';
export type { Merchant } from './merchant.ts';
export { type FindMerchant, createFindMerchant } from './read-merchants.ts';
export {
  type MerchantSettings,
  changeNotifyDefaults,
  createMerchant,
  updateMerchant,
} from './save-merchant.ts';
export { merchantWalletJson } from './wallet-json.ts';
