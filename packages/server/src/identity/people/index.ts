/** People: their accounts, passwords and roles. */
export { recordFailedSignIn, recordOwnAct, recordShown, unknownAccount } from './account-acts.ts';
export { createAdmin, createUser, preparePerson } from './create-user.ts';
export { demandUnchanged } from './demand-unchanged.ts';
export { checkEmail, emailKey } from './email.ts';
export { rememberLocale, selectLocale, updateLocale } from './language.sql.ts';
export { hashPassword, isPassword } from './password.ts';
export {
  lockPeople,
  lockPerson,
  lockWithAdministrators,
  selectPeople,
  selectPeopleNamed,
  selectPerson,
  selectPersonByEmail,
  updateErased,
  updateName,
  updatePassword,
  updatePerson,
} from './person.sql.ts';
export {
  type Person,
  type Role,
  type SessionUser,
  type SignedInUser,
  checkName,
  checkPassword,
  erasedAddress,
  isAdministrator,
  isErased,
  mayBePassword,
  platformRoleOf,
} from './person.ts';
