// All signs by which vendors are known, in the order in which they are asked.
import { firewallSigns } from "./firewall-signs.ts";
import { hostSigns } from "./host-signs.ts";
import { parkedSigns } from "./parked-signs.ts";
import type { Sign } from "./sign.ts";
import { wallSigns } from "./wall-signs.ts";

export const vendorSigns: readonly Sign[] = [...wallSigns, ...firewallSigns, ...hostSigns, ...parkedSigns];
