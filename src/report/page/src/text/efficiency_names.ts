// The factors of efficiency: parallel efficiency is the product of the other two.

export const efficiencyFactors = ["parallel_efficiency", "load_balance", "communication_efficiency"] as const;
export type EfficiencyFactor = (typeof efficiencyFactors)[number];
export const factorName = (factor: EfficiencyFactor): string => factor.replace("_", " ");
