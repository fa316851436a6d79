/** The role that each call of the administration API needs. One hook in `admin/routes.ts` applies this table. */
import type { PlatformRole } from '@paydesk/contract';
export declare const money: readonly PlatformRole[];
export declare const cases: readonly PlatformRole[];
/**
 * The roles that may make each write and each export, by its method and its path below `/admin/v1`. Everyone reads. A
 * write or an export that is not listed is for administrators only.
 */
export declare const permissions: Readonly<Record<string, readonly PlatformRole[]>>;
/** Whether a write by a session needs a proof of presence in the last ten minutes. */
export declare function needsPresence(method: string, route: string): boolean;
/** @param route the path below `/admin/v1` as it was registered, such as `/users/:user_id` */
export declare function mayCall(role: PlatformRole, method: string, route: string): boolean;
