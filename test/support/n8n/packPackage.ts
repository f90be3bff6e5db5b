import { packedTarball } from './packedTarball';

/** Before a suite whose files start an n8n each: the files may run side by side, and only one may pack. */
export default function packPackage(): void {
	packedTarball();
}
