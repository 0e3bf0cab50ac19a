"""Classes of terms that can replace each other: drugs, conditions, parts of the body, people, places."""

from __future__ import annotations


def _members(text: str) -> tuple[str, ...]:
    return tuple(" ".join(member.split()) for member in text.split(","))


TERMS = {
    "drug": _members(
        """aspirin, ibuprofen, paracetamol, acetaminophen, morphine, insulin, metformin, warfarin, heparin, prednisone,
        prednisolone, dexamethasone, amoxicillin, penicillin, erythromycin, azithromycin, doxycycline, ciprofloxacin,
        vancomycin, fluconazole, acyclovir, oseltamivir, lithium, diazepam, lorazepam, haloperidol, risperidone, olanzapine,
        quetiapine, clozapine, fluoxetine, sertraline, citalopram, amitriptyline, duloxetine, gabapentin, pregabalin,
        carbamazepine, valproate, lamotrigine, topiramate, levetiracetam, phenytoin, methotrexate, cyclophosphamide,
        tamoxifen, rituximab, infliximab, adalimumab, omeprazole, ranitidine, furosemide, digoxin, amiodarone, propranolol,
        metoprolol, lisinopril, losartan, amlodipine, simvastatin, atorvastatin, salbutamol, montelukast, theophylline,
        budesonide, oxytocin, misoprostol, progesterone, testosterone, oestrogen, estrogen, melatonin, ketamine, propofol,
        fentanyl, tramadol, codeine, methadone, naltrexone, buprenorphine, nicotine, caffeine, hydroxychloroquine,
        capsaicin, lidocaine, colchicine, allopurinol"""
    ),
    "nutrient": _members(
        "zinc, iron, magnesium, calcium, potassium, sodium, folate, iodine, selenium, phosphate"
    ),
    "drugs": _members(
        """antibiotics, antidepressants, antipsychotics, corticosteroids, steroids, statins, opioids, antihistamines, diuretics,
        vaccines, painkillers, anticoagulants, antivirals, vitamins, probiotics, antacids, laxatives"""
    ),
    "condition": _members(
        """diabetes, asthma, cancer, epilepsy, depression, anxiety, dementia, schizophrenia, stroke, pneumonia, influenza,
        malaria, tuberculosis, hepatitis, arthritis, osteoporosis, obesity, hypertension, anaemia, anemia, sepsis, migraine,
        eczema, psoriasis, endometriosis, infertility, autism, insomnia, gout, glaucoma, bronchitis, bronchiolitis,
        appendicitis, pancreatitis, leukaemia, leukemia, lymphoma, melanoma, fibromyalgia, tinnitus, diarrhoea, diarrhea,
        constipation, nausea, fever, measles, sinusitis, tonsillitis, osteoarthritis, thrombosis, cirrhosis, delirium,
        hypothyroidism, hyperthyroidism, dehydration, scabies, shingles, chickenpox, heartburn, lupus"""
    ),
    "part": _members(
        """heart, liver, lung, kidney, brain, stomach, skin, bladder, prostate, breast, knee, hip, shoulder, eye, ear, throat,
        nose, spine, bone, muscle, pancreas, colon, thyroid, uterus, ovary, ankle, wrist, hand, foot, arm, leg, neck, blood"""
    ),
    "parts": _members(
        """hearts, lungs, kidneys, eyes, ears, bones, muscles, hands, feet, arms, legs, knees, hips, shoulders, teeth, nerves,
        joints, tendons, arteries, veins"""
    ),
    "people": _members("men, women, children, adults, infants, babies, teenagers, adolescents, students"),
    "staff": _members(
        "doctors, nurses, pharmacists, surgeons, midwives, physiotherapists, dentists, scientists"
    ),
    "germ": _members("bacteria, viruses, fungi, parasites, worms"),
    "procedure": _members(
        """surgery, chemotherapy, radiotherapy, acupuncture, massage, exercise, physiotherapy, psychotherapy, hypnosis, yoga,
        dialysis, vaccination, transplantation"""
    ),
}
PLACES = {
    "country": _members(
        """Germany, France, Italy, Spain, Portugal, Greece, Turkey, Poland, Sweden, Norway, Denmark, Finland, Iceland,
        Ireland, Scotland, Wales, England, Britain, Belgium, Austria, Switzerland, Hungary, Romania, Russia, Ukraine, China,
        Japan, India, Pakistan, Bangladesh, Indonesia, Malaysia, Singapore, Thailand, Vietnam, Iran, Iraq, Israel, Egypt,
        Kenya, Nigeria, Ghana, Ethiopia, Uganda, Tanzania, Zambia, Malawi, Mexico, Brazil, Argentina, Chile, Peru, Colombia,
        Cuba, Canada, Australia, Afghanistan, Syria, Nepal"""
    ),
    "continent": _members("Africa, Asia, Europe, America, Antarctica"),
    "city": _members(
        """London, Paris, Berlin, Madrid, Rome, Vienna, Moscow, Tokyo, Beijing, Shanghai, Delhi, Mumbai, Chicago, Boston,
        Seattle, Houston, Miami, Toronto, Vancouver, Sydney, Melbourne, Dublin, Edinburgh, Glasgow, Manchester, Liverpool,
        Oxford, Cambridge, Munich, Hamburg, Barcelona, Milan, Amsterdam, Copenhagen, Stockholm, Oslo, Helsinki, Istanbul,
        Cairo, Nairobi, Lagos, Washington, Philadelphia, Detroit, Dallas, Birmingham, Kiel"""
    ),
    "people": _members(
        """German, French, Italian, Spanish, Portuguese, Greek, Turkish, Polish, Swedish, Norwegian, Danish, Irish, Scottish,
        Welsh, English, British, Russian, Chinese, Japanese, Indian, Mexican, Brazilian, Canadian, Australian, American,
        Nigerian, Egyptian, Iranian, Israeli, European, African, Asian"""
    ),
    "company": _members(
        """Google, Apple, Microsoft, Amazon, Facebook, Twitter, Samsung, Nokia, Sony, Toyota, Ford, Volkswagen, Boeing,
        Airbus, Starbucks, Nestlé, Unilever, Walmart, Tesco, Barclays, Shell"""
    ),
    "database": _members("MEDLINE, EMBASE, PubMed, CENTRAL, CINAHL, PsycINFO, LILACS, Scopus"),
    "month": _members(
        "January, February, March, April, June, July, August, September, October, November, December"
    ),
    "weekday": _members("Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday"),
}
TITLES = frozenset(
    "Mr Mrs Ms Dr Sir Lord Lady President Professor Prime Minister Judge Captain King Queen".split()
)
