# Values of lme4 that the mixed model of studies is tested against: tests/golden/mixed_model.json.
#   Rscript scripts/make_golden_mixed_model.R tests/golden/mixed_model.csv [ATS-EVAL export as CSV] > tests/golden/mixed_model.json
# The second file is `plainmark study export ats --format csv` after `plainmark study import ats-eval FILE ats`.
suppressMessages(library(lme4))
arguments <- commandArgs(trailingOnly = TRUE)
control <- glmerControl(optimizer = "bobyqa", tolPwrss = 1e-12, optCtrl = list(rhobeg = 0.02, rhoend = 2e-8, maxfun = 1e6))

object <- function(values) {
  paste0("{", paste0('"', names(values), '": ', sprintf("%.9g", values), collapse = ", "), "}")
}

case <- function(formula, data) {
  model <- suppressMessages(glmer(as.formula(formula), data, family = binomial, control = control))
  errors <- sqrt(diag(as.matrix(vcov(model))))
  names(errors) <- names(fixef(model))
  paste0('    "', formula, '": {"fixed": ', object(fixef(model)), ', "errors": ', object(errors),
         ', "deviations": ', object(sqrt(unlist(VarCorr(model)))),
         sprintf(', "log_likelihood": %.9g}', as.numeric(logLik(model))))
}

simulated <- read.csv(arguments[1])
rows <- c(
  case("right ~ condition + (1|person) + (1|item)", simulated),
  case("right ~ condition + (1|person) + (1|item) + (1|question)", simulated),
  case("right ~ condition + (1|person) + (1|batch)", simulated))
cat('{\n  "tool": "lme4 ', as.character(packageVersion("lme4")), ", ", R.version.string, '",\n', sep = "")
cat('  "command": "Rscript scripts/make_golden_mixed_model.R",\n')
cat('  "simulated": {\n', paste(rows, collapse = ",\n"), "\n  }", sep = "")
if (length(arguments) > 1) {
  ats <- subset(read.csv(arguments[2]), page == "block" & counted %in% c("True", "true", "TRUE", "1"))
  ats$right <- as.integer(ats$value == "A")
  ats$condition <- relevel(factor(ats$arm), ref = "Original")
  ats$question <- paste(ats$item, ats$question)
  cat(',\n  "ats-eval": {\n', case("right ~ condition + (1|participant) + (1|item) + (1|question)", ats), "\n  }", sep = "")
}
cat("\n}\n")
