import { Frame } from '../shell/frame.tsx';

/** What stands around the administrators' screens. */
export function PlatformFrame() {
  return <Frame side="Platform" navigation={null} />;
}
